package io.onceflow.internal.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class TracingTest {

  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String PARENT = "00-" + TRACE + "-00f067aa0ba902b7-01";
  private static final String NOT_SAMPLED = "00-" + TRACE + "-00f067aa0ba902b7-00";

  @Test
  void withoutAnSdkNothingIsMadeAndTheContextIsPassedOn() {
    SpanScope hop = Tracing.begin(SpanKind.CONSUMER, "process TakeMoney", PARENT);

    assertThat(Tracing.isOn()).isFalse();
    assertThat(Tracing.current()).isEmpty();
    assertThat(hop.traceparentOr(PARENT)).isEqualTo(PARENT);
  }

  @Test
  void aHopFollowsFromWhatItWasGivenAndIsFollowedFrom() throws Exception {
    try (Recorded recorded = new Recorded()) {
      SpanScope first = Tracing.begin(SpanKind.PRODUCER, "first", PARENT);
      Tracing.begin(SpanKind.CONSUMER, "second", first.traceparentOr(null)).end();
      first.end();

      assertThat(recorded.span("first").getParentSpanId()).isEqualTo("00f067aa0ba902b7");
      assertThat(recorded.span("second").getParentSpanId())
          .isEqualTo(recorded.span("first").getSpanId());
      assertThat(recorded.spans()).extracting(span -> span.getTraceId()).containsOnly(TRACE);
    }
  }

  @Test
  void theCallersWishNotToBeTracedIsHeeded() {
    try (Recorded recorded = new Recorded()) {
      SpanScope hop = Tracing.begin(SpanKind.CONSUMER, "unseen", NOT_SAMPLED);
      hop.end();

      assertThat(hop.traceparentOr(null)).startsWith("00-" + TRACE).endsWith("-00");
      assertThat(recorded.spans()).isEmpty();
    }
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", "rubbish", "00-00000000000000000000000000000000-00f067aa0ba902b7-01"})
  void whatIsNoContextBeginsATrace(String rubbish) {
    try (Recorded recorded = new Recorded()) {
      Tracing.begin(SpanKind.CONSUMER, "alone", rubbish).end();

      assertThat(recorded.span("alone").getParentSpanContext().isValid()).isFalse();
    }
  }

  @Test
  void aHopMayHaveBegunBeforeNow() {
    Instant then = Instant.parse("2026-01-01T12:00:00Z");
    try (Recorded recorded = new Recorded()) {
      Tracing.begin(SpanKind.PRODUCER, "send", PARENT, span -> span.setStartTimestamp(then)).end();

      assertThat(recorded.span("send").getStartEpochNanos())
          .isEqualTo(TimeUnit.SECONDS.toNanos(then.getEpochSecond()));
    }
  }

  @Test
  void whatFailsIsToldByItsKindAlone() {
    try (Recorded recorded = new Recorded()) {
      assertThatExceptionOfType(IllegalStateException.class)
          .isThrownBy(
              () ->
                  Tracing.begin(SpanKind.CLIENT, "call", PARENT)
                      .around(
                          () -> {
                            throw new IllegalStateException("to Ada Lovelace");
                          }));

      assertThat(recorded.span("call").getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
      assertThat(recorded.span("call").toString())
          .contains("IllegalStateException")
          .doesNotContain("Ada");
    }
  }
}
