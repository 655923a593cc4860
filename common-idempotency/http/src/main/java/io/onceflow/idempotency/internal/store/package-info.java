/** Where claims and answers are kept: the store interface, and its implementation in PostgreSQL. */
@NullMarked
package io.onceflow.idempotency.internal.store;

import org.jspecify.annotations.NullMarked;
