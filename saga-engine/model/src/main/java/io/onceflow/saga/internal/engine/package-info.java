/** The engine: events move a saga and its subject ({@code SagaExecution}). */
@NullMarked
package io.onceflow.saga.internal.engine;

import org.jspecify.annotations.NullMarked;
