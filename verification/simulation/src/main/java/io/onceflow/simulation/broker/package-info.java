/** Queues that lose, repeat, reorder and delay messages. */
@NullMarked
package io.onceflow.simulation.broker;

import org.jspecify.annotations.NullMarked;
