/** Queues that lose, repeat, reorder and delay. */
@NullMarked
package io.onceflow.simulation.broker;

import org.jspecify.annotations.NullMarked;
