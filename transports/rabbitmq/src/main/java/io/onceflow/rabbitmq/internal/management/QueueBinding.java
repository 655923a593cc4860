package io.onceflow.rabbitmq.internal.management;

/**
 * A binding that messages need.
 *
 * @param queue where they are to arrive
 */
public record QueueBinding(String queue, String exchange, String routingKey) {}
