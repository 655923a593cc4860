/** Messages by SmallRye Reactive Messaging and its RabbitMQ connector. */
@NullMarked
package io.onceflow.messaging.transport.internal;

import org.jspecify.annotations.NullMarked;
