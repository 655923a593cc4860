/** The operators' REST resource of handled steps, the same in every participant. */
@NullMarked
package io.onceflow.steps.internal;

import org.jspecify.annotations.NullMarked;
