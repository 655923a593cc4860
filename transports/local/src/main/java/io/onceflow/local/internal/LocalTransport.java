package io.onceflow.local.internal;

import io.onceflow.inbox.internal.consumer.BatchConsumer;
import io.onceflow.inbox.internal.consumer.BatchSettler;
import io.onceflow.inbox.internal.consumer.IdempotentReceiver;
import io.onceflow.inbox.internal.consumer.MessageSource;
import io.onceflow.outbox.internal.transport.LocalReceivers;
import io.onceflow.outbox.internal.transport.MessageChannel;
import io.onceflow.outbox.internal.transport.MessageTransport;
import io.quarkus.arc.properties.IfBuildProperty;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Hands messages over within the process, for an application whose participants and orchestrators
 * are all in it ({@code onceflow.transport=local}). Commands and replies of sagas go without a row
 * of the outbox ({@link DirectReceivers}). For all else, and for what finds no room, the outbox is
 * the queue: a row is deleted when its message is settled, so that what a crash interrupts is
 * passed again, and the inbox knows what it has seen. Replicas share the rows as relays do. It is
 * never blocked: the queues bound what they hold by not being acknowledged, and the relay publishes
 * no more.
 */
@Singleton
@IfBuildProperty(name = "onceflow.transport", stringValue = "local")
public final class LocalTransport implements MessageTransport, MessageSource {

  /** The messaging system, by its name in OpenTelemetry's conventions. */
  static final String NAME = "onceflow";

  private final List<LocalQueue> queues = new CopyOnWriteArrayList<>();
  private final DirectReceivers receivers = new DirectReceivers(this);

  @Override
  public Subscription subscribe(Queue queue, BatchConsumer consumer, BatchSettler settler) {
    consumer.deliveredBy(NAME);
    LocalQueue local = new LocalQueue(queue, consumer::accept);
    queues.removeIf(it -> it.isResting() && it.hasNameOf(local));
    queues.add(local);
    if (settler instanceof IdempotentReceiver receiver) {
      receivers.add(local, receiver);
    }
    return new LocalSubscription(local);
  }

  @Override
  public MessageChannel openChannel(Duration atMost) {
    return new LocalChannel(this);
  }

  @Override
  public LocalReceivers localReceivers() {
    return receivers;
  }

  /**
   * The queue that takes messages of this exchange and routing key, one that is not resting if
   * there is any; empty for none.
   */
  Optional<LocalQueue> queueOf(String exchange, String routingKey) {
    return queues.stream()
        .filter(queue -> queue.takes(exchange, routingKey))
        .min(Comparator.comparing(LocalQueue::isResting));
  }

  /** Messages come in from the beginning: the batch consumer keeps them until it is started. */
  private record LocalSubscription(LocalQueue queue) implements Subscription {

    @Override
    public void start() {
      // Nothing is to be connected.
    }

    @Override
    public void cancel() {
      queue.rest();
    }

    @Override
    public void close() {
      cancel();
    }
  }
}
