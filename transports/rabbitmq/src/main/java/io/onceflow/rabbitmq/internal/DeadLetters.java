package io.onceflow.rabbitmq.internal;

import io.onceflow.inbox.internal.consumer.BatchConsumer;
import io.onceflow.inbox.internal.consumer.BatchSettler;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.parking.ParkingReason;
import io.onceflow.internal.watchdog.PeriodicTask;
import io.onceflow.participant.Answer.UnprocessableMessage;
import io.onceflow.rabbitmq.internal.management.QueueWarnings;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Parks the service's dead letters, such as a message that was delivered more often than its
 * queue's delivery limit allows, or that expired by a policy. Most have never been handled, so they
 * are retried from there without an operator, and go through the inbox like one that has just
 * arrived: what a saga does not need any more is answered as expired or repeated. They show what
 * policies do to the queue; where the management API can be read, its policy and bindings are, too.
 */
public final class DeadLetters implements AutoCloseable {

  private static final String QUEUE = "x-first-death-queue";
  private static final String REASON = "x-first-death-reason";
  private static final String DELIVERY_LIMIT = "delivery_limit";

  /** As they are parked one at a time: they need memory beside the queue's. */
  private static final int AHEAD = 16;

  private static final Duration REVIEW_INTERVAL = Duration.ofMinutes(1);

  private final BatchConsumer intake;
  private final ConsumerLoop consumer;
  private final Optional<PeriodicTask> review;

  /**
   * @param queue whose dead letters these are
   * @param settler parks them
   */
  public DeadLetters(
      BrokerConnection broker, RabbitQueue queue, ConsumerConfig config, BatchSettler settler) {
    RabbitQueue own = queue.deadLetters();
    // One at a time: each is parked in a separate transaction.
    this.intake =
        new BatchConsumer(own.name(), 1, new Parks(settler, broker.topology().warnings()));
    int ahead = Math.min(DeliveryReader.prefetch(config), AHEAD);
    this.consumer = ChannelConsumer.loop(broker, own, ahead, config.maxMessageSize(), intake);
    this.review =
        Optional.ofNullable(broker.management())
            .map(
                management ->
                    new PeriodicTask(
                        "review-" + queue.name(),
                        () ->
                            broker
                                .topology()
                                .warnings()
                                .reviewed(
                                    queue.name(),
                                    management.review(queue.name(), queue.bindings()))));
  }

  /** Starts to read as soon as the broker lets it; returns at once. */
  public void start() {
    intake.start();
    consumer.start();
    review.ifPresent(task -> task.start(Duration.ofSeconds(5), REVIEW_INTERVAL));
  }

  @Override
  public void close() {
    review.ifPresent(PeriodicTask::close);
    consumer.cancel();
    intake.finish();
    consumer.close();
  }

  /** Where a message first died and why, and how often it was delivered in vain before. */
  static Map<String, String> history(@Nullable Map<String, Object> headers) {
    if (headers == null) {
      return Map.of();
    }
    Map<String, String> history = new HashMap<>();
    for (String header : List.of(QUEUE, REASON, Delivery.DELIVERY_COUNT)) {
      Object value = headers.get(header);
      if (value != null) {
        history.put(header, value.toString());
      }
    }
    return history;
  }

  /** Headers of a message out of a bundle, with what happened to the bundle. */
  static Map<String, String> join(Map<String, String> headers, Map<String, String> history) {
    Map<String, String> joined = new HashMap<>(headers);
    joined.putAll(history);
    return joined;
  }

  record Parks(BatchSettler settler, QueueWarnings warnings) implements BatchSettler {

    @Override
    public void settle(List<Delivery> batch) throws SQLException {
      for (Delivery letter : batch) {
        settler.park(original(letter), why(letter));
      }
    }

    @Override
    public void park(Delivery letter, UnprocessableMessage why) throws SQLException {
      settler.park(original(letter), why);
    }

    @Override
    public boolean redrive(Parked parked) throws SQLException {
      return settler.redrive(parked);
    }

    private UnprocessableMessage why(Delivery letter) {
      String reason = letter.headers().getOrDefault(REASON, "unknown");
      String queue = letter.headers().getOrDefault(QUEUE, letter.queue());
      warnings.gaveUp(queue, reason);
      return reason.equals(DELIVERY_LIMIT)
          ? new UnprocessableMessage(
              ParkingReason.DELIVERY_LIMIT,
              "queue %s delivered it more often than its delivery limit allows".formatted(queue))
          : new UnprocessableMessage(
              ParkingReason.DEAD_LETTERED,
              "queue %s dead-lettered it with the reason \"%s\"".formatted(queue, reason));
    }

    /** As it was in its queue: {@code x-death} is a list of tables, which says nothing as text. */
    private static Delivery original(Delivery letter) {
      Map<String, String> headers = new HashMap<>(letter.headers());
      headers.remove("x-death");
      return new Delivery(
          headers.getOrDefault(QUEUE, letter.queue()),
          letter.messageId(),
          letter.type(),
          letter.correlationId(),
          letter.replyTo(),
          headers,
          letter.body(),
          letter.acknowledge(),
          letter.fault(),
          letter.routingKey());
    }
  }
}
