/** Constraints on what a request holds, and how many violations a problem tells of. */
@NullMarked
package io.onceflow.web.internal.validation;

import org.jspecify.annotations.NullMarked;
