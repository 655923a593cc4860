/** Sagas as operators and applications see them. */
@NullMarked
package io.onceflow.saga.internal.store.view;

import org.jspecify.annotations.NullMarked;
