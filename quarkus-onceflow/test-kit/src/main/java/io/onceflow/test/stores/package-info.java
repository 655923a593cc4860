/**
 * The laws of the guard's stores: what an {@code IdempotencyStore} that an application brings must
 * do, written as tests.
 */
@NullMarked
package io.onceflow.test.stores;

import org.jspecify.annotations.NullMarked;
