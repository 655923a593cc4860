/** The guarded methods of an application and their policies, checked when it starts. */
@NullMarked
package io.onceflow.idempotency.internal.policy;

import org.jspecify.annotations.NullMarked;
