package io.onceflow.rabbitmq.internal;

import io.onceflow.inbox.internal.consumer.MessageSource.Subscription;

/** The messages of a queue, and its dead letters. */
public record RabbitSubscription(ConsumerLoop consumer, DeadLetters deadLetters)
    implements Subscription {

  @Override
  public void start() {
    consumer.start();
    deadLetters.start();
  }

  @Override
  public void cancel() {
    consumer.cancel();
  }

  @Override
  public void close() {
    consumer.close();
    deadLetters.close();
  }
}
