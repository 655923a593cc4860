/**
 * The benchmark's saga in one application, as the guide writes one: entities, handlers that save
 * them, a guarded method that starts the saga.
 */
@NullMarked
package io.onceflow.benchmarks.plain;

import org.jspecify.annotations.NullMarked;
