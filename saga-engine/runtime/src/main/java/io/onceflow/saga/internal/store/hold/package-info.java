/** Sagas that operators hold: nothing moves them until they are resumed. */
@NullMarked
package io.onceflow.saga.internal.store.hold;

import org.jspecify.annotations.NullMarked;
