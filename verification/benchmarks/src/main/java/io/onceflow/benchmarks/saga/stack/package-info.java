/** What the saga benchmark runs on: its own servers, and the three services as processes. */
@NullMarked
package io.onceflow.benchmarks.saga.stack;

import org.jspecify.annotations.NullMarked;
