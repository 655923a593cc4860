/** The same order saga on each transport, on one machine in one run. */
@NullMarked
package io.onceflow.benchmarks.transports;

import org.jspecify.annotations.NullMarked;
