/**
 * The engine's sagas with their rows, and the few set-based statements that lock, read and write
 * them in the caller's transaction.
 *
 * <p>The tables are made by the migrations under {@code db/onceflow/saga}; a service adds that
 * location to its own.
 */
@NullMarked
package io.onceflow.saga.internal.store;

import org.jspecify.annotations.NullMarked;
