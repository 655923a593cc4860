/** What the Idempotency-Key guard costs, and what it spares: runs, checks and the report. */
@NullMarked
package io.onceflow.benchmarks.idempotency;

import org.jspecify.annotations.NullMarked;
