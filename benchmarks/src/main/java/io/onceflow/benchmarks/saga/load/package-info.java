/** Clients that place orders, and what the database says became of them. */
@NullMarked
package io.onceflow.benchmarks.saga.load;

import org.jspecify.annotations.NullMarked;
