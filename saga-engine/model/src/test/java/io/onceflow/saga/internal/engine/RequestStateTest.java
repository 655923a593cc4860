package io.onceflow.saga.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What a message's exchange keeps of its earlier attempts. */
class RequestStateTest {

  private static final Instant FIRST = Instant.parse("2026-01-01T12:00:00Z");
  private static final Instant LATER = FIRST.plusSeconds(10);

  private final RequestState sent = RequestState.NONE.sent(FIRST);

  /** Else a step that was resent would seem to be quick. */
  @Test
  void itKeepsWhenItWasSentFirst() {
    assertThat(RequestState.NONE.sentFirstAt()).isNull();
    assertThat(sent.sentFirstAt()).isEqualTo(FIRST);
    assertThat(sent.firstSentAt()).as("in the row only where it was resent").isNull();
    assertThat(sent.sent(LATER).sentFirstAt()).isEqualTo(FIRST);
    assertThat(sent.repeated(LATER).sent(LATER).sentFirstAt()).isEqualTo(FIRST);
    assertThat(sent.sent(LATER).replied(LATER, "hash").sentFirstAt()).isEqualTo(FIRST);
  }

  /** A row of an earlier release says only when the last time was. */
  @Test
  void whatIsNotKnownStaysSo() {
    RequestState earlier = new RequestState(3, LATER, null);

    assertThat(earlier.sentFirstAt()).isNull();
    assertThat(earlier.sent(LATER).sentFirstAt()).isNull();
  }

  @Test
  void itKeepsWhyItWasRefusedUntilItIsAnswered() {
    RequestState refused = sent.refused("hash", "Refused: CLOSED");

    assertThat(refused.sent(LATER).refusal()).isEqualTo("Refused: CLOSED");
    assertThat(refused.sent(LATER).replied(LATER, "other").refusal()).isNull();
    assertThat(sent.refused("hash", "x".repeat(1_000)).refusal()).hasSize(500);
  }

  /** Otherwise a saga that is refused again and again would seem to move on. */
  @Test
  void aRefusalIsNoProgress() {
    assertThat(sent.refused("hash", "Refused: CLOSED").withoutMemory())
        .isEqualTo(sent.withoutMemory());
  }
}
