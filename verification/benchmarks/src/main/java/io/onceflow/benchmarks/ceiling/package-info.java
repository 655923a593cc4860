/**
 * The SQL ceiling: what the same PostgreSQL does with the statements of a saga alone, one
 * transaction per step.
 */
@NullMarked
package io.onceflow.benchmarks.ceiling;

import org.jspecify.annotations.NullMarked;
