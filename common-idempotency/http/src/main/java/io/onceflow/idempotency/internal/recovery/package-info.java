/** The recovery sweep: settles claims whose owners died. */
@NullMarked
package io.onceflow.idempotency.internal.recovery;

import org.jspecify.annotations.NullMarked;
