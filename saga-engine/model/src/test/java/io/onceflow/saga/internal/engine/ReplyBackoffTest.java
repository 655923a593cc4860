package io.onceflow.saga.internal.engine;

import static io.onceflow.saga.Retry.attempts;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.Step;
import io.onceflow.saga.Step.OutgoingCommand;
import io.onceflow.saga.internal.Jitter;
import java.time.Duration;
import java.util.DoubleSummaryStatistics;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReplyBackoffTest {

  private static final UUID SAGA = new UUID(1, 1);

  @Test
  void doublesUpToTheCap() {
    ReplyBackoff backoff = new ReplyBackoff(Jitter.NONE);
    assertThat(
            IntStream.rangeClosed(1, 7)
                .mapToObj(attempt -> backoff.wait(SAGA, "book", attempt, within(ofSeconds(10)))))
        .containsExactly(
            ofSeconds(10),
            ofSeconds(20),
            ofSeconds(40),
            ofSeconds(80),
            ofSeconds(160),
            ofMinutes(5),
            ofMinutes(5));
  }

  @Test
  void keepsToTheCapHoweverOftenItIsTried() {
    assertThat(
            new ReplyBackoff(Jitter.NONE)
                .wait(SAGA, "book", Integer.MAX_VALUE, within(ofSeconds(10))))
        .isEqualTo(ofMinutes(5));
  }

  @Test
  void neverAsksForAReplySoonerThanTheStepDoes() {
    assertThat(new ReplyBackoff(Jitter.NONE).wait(SAGA, "book", 3, within(ofMinutes(20))))
        .isEqualTo(ofMinutes(20));
  }

  @Test
  void backsOffAsTheStepSays() {
    ReplyBackoff backoff = new ReplyBackoff(Jitter.NONE);
    Step.Send<?> step =
        within(ofSeconds(10)).retry(attempts(4).backoff(ofMinutes(1), ofMinutes(3)));
    assertThat(
            IntStream.rangeClosed(1, 4)
                .mapToObj(attempt -> backoff.wait(SAGA, "book", attempt, step)))
        .containsExactly(ofMinutes(1), ofMinutes(2), ofMinutes(3), ofMinutes(3));
    assertThat(backoff.waits(SAGA, step)).isEqualTo(ofMinutes(9));
  }

  private static Step.Send<Object> within(Duration time) {
    return SagaDefinition.step("book")
        .send((Object any) -> new OutgoingCommand("Book", "book", any))
        .replyWithin(time);
  }

  @Test
  void jitterOnlyAddsAndAddsAFifthAtMost() {
    Duration longest =
        new ReplyBackoff((saga, step, attempt) -> Math.nextDown(1.0))
            .wait(SAGA, "book", 1, within(ofSeconds(10)));

    assertThat(longest).isBetween(ofSeconds(10), ofSeconds(12));
  }

  @Test
  void hashedJitterIsEvenAndTheSameAtEveryRun() {
    DoubleSummaryStatistics shares =
        IntStream.range(0, 10_000)
            .mapToDouble(i -> Jitter.HASHED.share(new UUID(0x0199_c3aaL, i), "book", 1))
            .summaryStatistics();

    assertThat(shares.getMin()).isBetween(0.0, 0.01);
    assertThat(shares.getMax()).isBetween(0.99, Math.nextDown(1.0));
    assertThat(shares.getAverage()).isBetween(0.48, 0.52);
    assertThat(Jitter.HASHED.share(SAGA, "book", 2))
        .isEqualTo(Jitter.HASHED.share(SAGA, "book", 2));
  }
}
