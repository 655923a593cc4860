/** Describes guarded operations in the OpenAPI document of the application. */
@NullMarked
package io.onceflow.idempotency.internal.openapi;

import org.jspecify.annotations.NullMarked;
