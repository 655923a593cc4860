/** Deletes ended sagas after their retention. */
@NullMarked
package io.onceflow.saga.internal.retention;

import org.jspecify.annotations.NullMarked;
