/** Admission control: limits for all requests and quotas for each caller. */
@NullMarked
package io.onceflow.idempotency.internal.admission;

import org.jspecify.annotations.NullMarked;
