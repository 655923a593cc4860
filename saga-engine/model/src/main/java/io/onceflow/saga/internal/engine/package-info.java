/** The engine: turns {@code (state, event, now)} into {@code (state', effects, history)}. */
@NullMarked
package io.onceflow.saga.internal.engine;

import org.jspecify.annotations.NullMarked;
