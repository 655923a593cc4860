/** Clients that place orders, and queries of the outcome of these orders. */
@NullMarked
package io.onceflow.benchmarks.saga.load;

import org.jspecify.annotations.NullMarked;
