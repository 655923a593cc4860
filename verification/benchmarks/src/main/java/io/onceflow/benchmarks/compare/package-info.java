/** The same order saga on Onceflow and on other products, on one machine in one run. */
@NullMarked
package io.onceflow.benchmarks.compare;

import org.jspecify.annotations.NullMarked;
