package io.onceflow.inbox.internal.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.onceflow.internal.tracing.Recorded;
import io.onceflow.outbox.internal.MessageHeaders;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is seen of the messages of a batch. */
class ProcessSpansTest {

  private static final String ONE = "0af7651916cd43dd8448eb211c80319c";
  private static final String OTHER = "4bf92f3577b34da6a3ce929d0e0e4736";

  private final List<Delivery> settled = new ArrayList<>();

  @Test
  void whatIsDoneForAMessageFollowsFromItsSpan() throws SQLException {
    try (Recorded recorded = new Recorded()) {
      ProcessSpans.around(List.of(delivery(ONE)), "kafka", settled::addAll);

      SpanData span = recorded.span("process TakeMoney");
      assertThat(span.getParentSpanId()).isEqualTo("00f067aa0ba902b7");
      assertThat(recorded.spans()).hasSize(1);
      assertThat(span.getAttributes().get(AttributeKey.stringKey("messaging.system")))
          .isEqualTo("kafka");
      assertThat(settled.getFirst().headers())
          .containsEntry(
              MessageHeaders.TRACEPARENT, "00-%s-%s-01".formatted(ONE, span.getSpanId()));
    }
  }

  @Test
  void whatIsSettledTogetherStaysInItsOwnTraceAndIsLinkedToTheBatch() throws SQLException {
    try (Recorded recorded = new Recorded()) {
      ProcessSpans.around(List.of(delivery(ONE), delivery(OTHER)), "kafka", settled::addAll);

      SpanData batch = recorded.span("settle test");
      List<SpanData> messages =
          recorded.spans().stream().filter(span -> !span.equals(batch)).toList();
      assertThat(messages).extracting(SpanData::getTraceId).containsExactly(ONE, OTHER);
      assertThat(batch.getTraceId()).isNotIn(ONE, OTHER);
      assertThat(messages)
          .allSatisfy(
              span ->
                  assertThat(span.getLinks())
                      .singleElement()
                      .extracting(link -> link.getSpanContext().getSpanId())
                      .isEqualTo(batch.getSpanId()));
    }
  }

  @Test
  void aBatchThatFailsIsSeenToFail() {
    try (Recorded recorded = new Recorded()) {
      assertThatExceptionOfType(SQLException.class)
          .isThrownBy(
              () ->
                  ProcessSpans.around(
                      List.of(delivery(ONE)),
                      "kafka",
                      batch -> {
                        throw new SQLException("away");
                      }));

      assertThat(recorded.span("process TakeMoney").getStatus().getStatusCode())
          .isEqualTo(StatusCode.ERROR);
    }
  }

  @Test
  void whereNobodyTracesMessagesStayAsTheyAre() throws SQLException {
    Delivery delivery = delivery(ONE);

    ProcessSpans.around(List.of(delivery), "kafka", settled::addAll);

    assertThat(settled).containsExactly(delivery);
  }

  private static Delivery delivery(String trace) {
    return new Delivery(
        "test",
        "id",
        "TakeMoney",
        "saga",
        null,
        Map.of(MessageHeaders.TRACEPARENT, "00-%s-00f067aa0ba902b7-01".formatted(trace)),
        new byte[0],
        () -> {});
  }
}
