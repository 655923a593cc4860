/** How fast a service's relay empties an outbox that has filled up. */
@NullMarked
package io.onceflow.benchmarks.drain;

import org.jspecify.annotations.NullMarked;
