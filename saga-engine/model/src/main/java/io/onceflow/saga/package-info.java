/**
 * Sagas as data and pure functions: definitions, the state of a running saga, and the engine that
 * moves a saga and its subject by events.
 *
 * <p>Nothing here reads a clock, opens a connection or knows a framework; the shell in {@code
 * io.onceflow.saga.internal.runtime} loads, saves and sends. So every rule of a saga can be tested
 * without waiting.
 */
@NullMarked
package io.onceflow.saga;

import org.jspecify.annotations.NullMarked;
