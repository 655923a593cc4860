/** The machine, and what runs on it for a benchmark: servers, the application, an observer. */
@NullMarked
package io.onceflow.benchmarks.machine;

import org.jspecify.annotations.NullMarked;
