package io.onceflow.test.races;

import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.outbox.internal.MessageHeaders;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * A broker that forgets a message when it is acknowledged and not before: what a process that died
 * had in hand goes to another one. It also looks whether what is acknowledged has been settled, for
 * the tests to assert (rule 2).
 */
final class RacedQueue {

  static final String REPLY_TO = "race-kit";

  private final Map<Long, Handed> unacknowledged = new ConcurrentHashMap<>();
  private final List<RacedMessage> delivered = new CopyOnWriteArrayList<>();
  private final AtomicLong tags = new AtomicLong();
  private final List<String> acknowledgedEarly = new CopyOnWriteArrayList<>();
  private final Predicate<RacedMessage> settled;

  private record Handed(RacedProcess to, RacedMessage message) {}

  /**
   * @param settled whether the database, as others see it, knows the outcome of a message
   */
  RacedQueue(Predicate<RacedMessage> settled) {
    this.settled = settled;
  }

  /** Hands a message to a process. */
  void hand(RacedProcess to, RacedMessage message) {
    to.accept(delivery(to, message));
  }

  /** A message handed to a process. */
  Delivery delivery(RacedProcess to, RacedMessage message) {
    long tag = tags.incrementAndGet();
    Handed handed = new Handed(to, message);
    unacknowledged.put(tag, handed);
    delivered.add(message);
    return new Delivery(
        "race",
        message.id(),
        message.type(),
        message.correlationId(),
        REPLY_TO,
        headers(message),
        message.payload().getBytes(StandardCharsets.UTF_8),
        () -> acknowledge(tag, handed),
        null,
        message.routingKey());
  }

  /** Hands what dead processes have not acknowledged to another one. */
  void redeliver(RacedProcess to) {
    unacknowledged.forEach(
        (tag, handed) -> {
          if (handed.to().isDead() && unacknowledged.remove(tag) != null) {
            hand(to, handed.message());
          }
        });
  }

  int deliveries(RacedMessage message) {
    return (int) delivered.stream().filter(message::isRepeatedBy).count();
  }

  boolean isEmpty() {
    return unacknowledged.isEmpty();
  }

  /** What was acknowledged though nothing was committed that says its outcome. */
  List<String> acknowledgedEarly() {
    return acknowledgedEarly;
  }

  private void acknowledge(long tag, Handed handed) {
    if (handed.to().acknowledges()) {
      if (!settled.test(handed.message())) {
        acknowledgedEarly.add(handed.message().stepKey());
      }
      unacknowledged.remove(tag);
    }
  }

  private static Map<String, String> headers(RacedMessage message) {
    Map<String, String> headers = new HashMap<>(message.headers());
    headers.put(MessageHeaders.IDEMPOTENCY_KEY, message.root());
    headers.put(MessageHeaders.IDEMPOTENCY_SCOPE, message.scope());
    headers.put(MessageHeaders.MESSAGE_VERSION, "1");
    return headers;
  }
}
