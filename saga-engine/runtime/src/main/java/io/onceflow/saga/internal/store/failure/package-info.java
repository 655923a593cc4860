/** Failures of single sagas: counted, retried, quarantined. */
@NullMarked
package io.onceflow.saga.internal.store.failure;

import org.jspecify.annotations.NullMarked;
