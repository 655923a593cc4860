/** How methods annotated with {@link io.onceflow.messaging.Once} take effect once. */
@NullMarked
package io.onceflow.messaging.once.internal;

import org.jspecify.annotations.NullMarked;
