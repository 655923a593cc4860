/**
 * All of what makes things happen once: the guard in {@code idempotency} and {@code redis},
 * messages in {@code outbox} and {@code inbox}, RabbitMQ in {@code rabbitmq}, on {@code core}.
 */
@NullMarked
package io.onceflow;

import org.jspecify.annotations.NullMarked;
