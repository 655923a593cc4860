/** RabbitMQ with its native client: publishes the outbox, feeds the inbox. */
@NullMarked
package io.onceflow.rabbitmq.internal;

import org.jspecify.annotations.NullMarked;
