/**
 * Sagas as data and pure functions: definitions, the state of a running saga, and the engine that
 * turns {@code (state, event, now)} into {@code (state', effects, history)}.
 *
 * <p>Nothing here reads a clock, opens a connection or knows a framework; the shell in {@code
 * io.onceflow.saga.store} loads, saves and sends. That is what lets every rule of a saga be tested
 * without waiting for anything.
 */
@NullMarked
package io.onceflow.saga;

import org.jspecify.annotations.NullMarked;
