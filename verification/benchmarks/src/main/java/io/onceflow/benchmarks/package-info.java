/** Benchmarks, each a command of {@code ./onceflow bench}. */
@NullMarked
package io.onceflow.benchmarks;

import org.jspecify.annotations.NullMarked;
