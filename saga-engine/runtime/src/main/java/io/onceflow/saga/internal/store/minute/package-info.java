/** What sagas did, by minute. */
@NullMarked
package io.onceflow.saga.internal.store.minute;

import org.jspecify.annotations.NullMarked;
