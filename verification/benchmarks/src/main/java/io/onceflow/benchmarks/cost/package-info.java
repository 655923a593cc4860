/** What a saga costs: processor time, WAL, commits, statements, messages, memory. */
@NullMarked
package io.onceflow.benchmarks.cost;

import org.jspecify.annotations.NullMarked;
