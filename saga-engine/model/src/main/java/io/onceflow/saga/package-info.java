/**
 * The API of sagas. The module of the model has sagas as data and pure functions: definitions, the
 * state of a running saga, and the engine that moves a saga and its subject by events. The module
 * of the runtime adds the types that need a connection: {@code Sagas}, which starts sagas, and
 * {@code SagaRepository}, which stores their subjects.
 *
 * <p>The model reads no clock, opens no connection and knows no framework; the shell in {@code
 * io.onceflow.saga.internal.runtime} loads, saves and sends. So every rule of a saga can be tested
 * without waiting.
 */
@NullMarked
package io.onceflow.saga;

import org.jspecify.annotations.NullMarked;
