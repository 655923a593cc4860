/**
 * The shell around the engine: loads sagas and their subjects, calls the engine, and writes its
 * decisions in a few set-based statements of the caller's transaction.
 *
 * <p>The tables are made by the migrations under {@code db/onceflow/saga}; a service adds that
 * location to its own.
 */
@NullMarked
package io.onceflow.saga.internal.store;

import org.jspecify.annotations.NullMarked;
