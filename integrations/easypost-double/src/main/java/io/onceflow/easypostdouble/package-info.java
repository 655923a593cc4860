/** A test double of EasyPost, which behaves as EasyPost documents it. */
@NullMarked
package io.onceflow.easypostdouble;

import org.jspecify.annotations.NullMarked;
