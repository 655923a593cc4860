/** Constraints on what a request holds, and how many violations a problem tells of. */
@NullMarked
package io.onceflow.service.validation;

import org.jspecify.annotations.NullMarked;
