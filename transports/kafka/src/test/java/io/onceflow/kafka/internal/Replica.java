package io.onceflow.kafka.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.onceflow.inbox.internal.consumer.BatchConsumer;
import io.onceflow.inbox.internal.consumer.BatchSettler;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.consumer.MessageSource;
import io.onceflow.participant.Answer.UnprocessableMessage;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A replica of a service: settles all it gets, wherever the partitions go. */
final class Replica implements BatchSettler, AutoCloseable {

  private final List<String> payloads = new CopyOnWriteArrayList<>();
  private final BatchConsumer consumer;
  private final MessageSource.Subscription subscription;

  Replica(MessageSource source, MessageSource.Queue queue) {
    consumer = new BatchConsumer(queue.name(), 16, this);
    subscription = source.subscribe(queue, consumer, this);
    consumer.start();
    subscription.start();
  }

  /** Of what it has settled, in that order. */
  List<String> payloads() {
    return payloads;
  }

  @Override
  public void settle(List<Delivery> batch) {
    batch.forEach(one -> payloads.add(new String(one.body(), UTF_8)));
  }

  @Override
  public void park(Delivery delivery, UnprocessableMessage why) {
    throw new IllegalStateException(why);
  }

  @Override
  public boolean redrive(Parked parked) {
    return false;
  }

  /** As a process ends in order. */
  @Override
  public void close() {
    subscription.cancel();
    consumer.finish();
    subscription.close();
  }
}
