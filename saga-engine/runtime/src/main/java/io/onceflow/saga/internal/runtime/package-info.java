/**
 * Runs the sagas of a service: one runner for each definition, their commands, replies and metrics.
 */
@NullMarked
package io.onceflow.saga.internal.runtime;

import org.jspecify.annotations.NullMarked;
