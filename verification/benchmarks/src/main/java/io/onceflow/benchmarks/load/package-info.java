/** The load: clients in a closed loop on one event loop, and what they measured. */
@NullMarked
package io.onceflow.benchmarks.load;

import org.jspecify.annotations.NullMarked;
