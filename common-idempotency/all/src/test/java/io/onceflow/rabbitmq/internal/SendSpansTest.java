package io.onceflow.rabbitmq.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.internal.tracing.Recorded;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.MessageHeaders;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is seen of a message from its record in the outbox until it goes to the broker. */
class SendSpansTest {

  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

  @Test
  void whoReceivesAMessageFollowsFromItsSending() {
    try (Recorded recorded = new Recorded()) {
      OutboxMessage sent = sent(message(TRACE));

      SpanData span = recorded.span("send TakeMoney");
      assertThat(span.getTraceId()).isEqualTo(TRACE);
      assertThat(span.getParentSpanId()).isEqualTo("00f067aa0ba902b7");
      assertThat(sent.headers())
          .containsEntry(
              MessageHeaders.TRACEPARENT, "00-%s-%s-01".formatted(TRACE, span.getSpanId()))
          .containsEntry(MessageHeaders.IDEMPOTENCY_KEY, "5f0c");
    }
  }

  @Test
  void aMessageIsOnItsWayFromWhenItWasRecorded() {
    Instant before = Instant.now().minusMillis(1);
    OutboxMessage message = message(TRACE);
    try (Recorded recorded = new Recorded()) {
      sent(message);

      long began = recorded.span("send TakeMoney").getStartEpochNanos();
      assertThat(Instant.ofEpochMilli(TimeUnit.NANOSECONDS.toMillis(began)))
          .isBetween(before, Instant.now());
    }
  }

  @Test
  void allElseOfAMessageStaysAsItIs() {
    try (Recorded recorded = new Recorded()) {
      OutboxMessage message = message(TRACE);

      assertThat(sent(message))
          .usingRecursiveComparison()
          .ignoringFields("headers")
          .isEqualTo(message);
      assertThat(recorded.spans()).hasSize(1);
    }
  }

  @Test
  void whereNobodyTracesParcelsStayAsTheyAre() {
    List<OutgoingMessage> parcels = OutgoingMessage.each(List.of(message(TRACE)));

    assertThat(SendSpans.of(parcels)).isSameAs(parcels);
  }

  private static OutboxMessage sent(OutboxMessage message) {
    return SendSpans.of(OutgoingMessage.each(List.of(message))).getFirst().messages().getFirst();
  }

  private static OutboxMessage message(String trace) {
    return new OutboxMessage(
        OutboxMessage.newId(),
        "order",
        UUID.randomUUID().toString(),
        "TakeMoney",
        "{}",
        OutboxMessage.COMMANDS,
        "payment.take",
        "saga",
        "order-service",
        Map.of(
            MessageHeaders.IDEMPOTENCY_KEY,
            "5f0c",
            MessageHeaders.TRACEPARENT,
            "00-%s-00f067aa0ba902b7-01".formatted(trace)));
  }
}
