/** Runs guarded methods in transactional, shared and leased mode. */
@NullMarked
package io.onceflow.idempotency.internal.execution;

import org.jspecify.annotations.NullMarked;
