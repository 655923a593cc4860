/** What another team does with Onceflow, done outside its tree. */
@NullMarked
package io.onceflow.adoption;

import org.jspecify.annotations.NullMarked;
