/** How an {@link io.onceflow.messaging.OutboxEmitter} records, and how its messages are sent. */
@NullMarked
package io.onceflow.messaging.emitter.internal;

import org.jspecify.annotations.NullMarked;
