/** The end of a saga's life in the database: it is deleted, and its root key is remembered. */
@NullMarked
package io.onceflow.saga.internal.store.retention;

import org.jspecify.annotations.NullMarked;
