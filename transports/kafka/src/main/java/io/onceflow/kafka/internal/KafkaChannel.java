package io.onceflow.kafka.internal;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.transport.AnsweredChannel;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import io.onceflow.rabbitmq.internal.SendSpans;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnknownProducerIdException;
import org.jspecify.annotations.Nullable;

/**
 * A producer of one user. When anything is in doubt it is closed, and drops what it still holds, so
 * that copies of messages do not gather while Kafka is unavailable.
 */
final class KafkaChannel extends AnsweredChannel {

  private final Producer<byte[], byte[]> producer;
  private final KafkaTopics topics;
  private volatile boolean closed;

  KafkaChannel(Producer<byte[], byte[]> producer, KafkaTopics topics) {
    this.producer = producer;
    this.topics = topics;
  }

  /** What cannot be written is refused, and the rest goes out. */
  @Override
  public void write(List<OutgoingMessage> batch, Duration atMost) throws IOException {
    long until = System.nanoTime() + atMost.toNanos();
    for (OutgoingMessage outgoing : SendSpans.of(batch, "kafka")) {
      Duration left = Duration.ofNanos(until - System.nanoTime());
      if (left.isNegative()) {
        throw new IOException("Kafka did not take a batch within " + atMost);
      }
      write(outgoing, left);
    }
  }

  /** A topic that the service may not use costs the messages for it alone. */
  private void write(OutgoingMessage outgoing, Duration left) throws IOException {
    String topic = TopicNames.of(outgoing.exchange(), outgoing.routingKey());
    try {
      write(topic, outgoing, left);
    } catch (KafkaRefusal refusal) {
      if (!refusal.isOfOneTopic()) {
        throw refusal;
      }
      if (outgoing.exchange().equals(OutboxMessage.REPLIES)) {
        topics.refuseReplies(topic);
      }
      answers.refuse(outgoing.id(), String.valueOf(refusal.getMessage()));
    }
  }

  private void write(String topic, OutgoingMessage outgoing, Duration left) throws IOException {
    if (topics.takes(topic, outgoing.isAddressed(), left)) {
      send(topic, outgoing);
    } else if (outgoing.isAddressed()) {
      answers.refuse(
          outgoing.id(),
          "there is no topic %s for routing key %s".formatted(topic, outgoing.routingKey()));
    } else {
      answers.confirm(outgoing.id());
    }
  }

  /** Each message of a bundle is a record: the producer puts records together itself. */
  private void send(String topic, OutgoingMessage outgoing) throws IOException {
    answers.expect(outgoing.id(), outgoing.messages().size());
    try {
      for (OutboxMessage message : outgoing.messages()) {
        producer.send(
            MessageRecords.of(topic, message), (place, failure) -> answer(outgoing.id(), failure));
      }
    } catch (InterruptException e) {
      throw new InterruptedIOException("interrupted while Kafka took messages");
    } catch (KafkaException | IllegalStateException e) {
      throw new IOException("the producer takes no messages any more", e);
    }
  }

  /**
   * Of one record.
   *
   * @param failure null when all replicas in sync have it
   */
  private void answer(UUID id, @Nullable Exception failure) {
    if (failure == null || isRefusal(failure)) {
      answers.answer(id, failure == null ? null : failure.toString());
    } else {
      answers.doubt();
    }
  }

  /** Whether it was not taken for what it is; otherwise it is in doubt, and the producer too. */
  private static boolean isRefusal(Exception failure) {
    return failure instanceof ApiException
        && !(failure instanceof RetriableException
            || failure instanceof OutOfOrderSequenceException
            || failure instanceof UnknownProducerIdException
            || failure instanceof ProducerFencedException);
  }

  @Override
  public boolean isOpen() {
    return !closed && !answers.isInDoubt();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      if (answers.isInDoubt()) {
        topics.forget();
      }
      producer.close(Duration.ZERO);
    }
  }
}
