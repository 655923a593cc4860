package io.onceflow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Commands that are looked at after the moment until which they were wanted (rule 11). */
@SystemTest
class ExpiredCommandsTest {

  private static final Duration SOON = Duration.ofMinutes(2);

  private final Stack stack = Stack.get();
  private final String replyTo = "system-tests." + UUID.randomUUID();
  private final UUID order = UUID.randomUUID();
  private Broker broker;
  private Tap answers;

  @BeforeEach
  void listen() {
    broker = stack.broker();
    answers = broker.tap(Message.REPLIES, replyTo + ".#");
  }

  @AfterEach
  void hangUp() {
    broker.close();
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource
  void whatHasExpiredIsNotDoneNotEvenWhenItIsSentAgain(HandMade step) {
    Message command = step.action(order).withReplyTo(replyTo);

    broker.publish(command.withExpiresAt(Instant.now().minusSeconds(60)));
    awaitAnswers(1);
    broker.publish(command.withId(UUID.randomUUID().toString()));
    awaitAnswers(2);
    broker.publish(
        command.withId(UUID.randomUUID().toString()).withExpiresAt(Instant.now().plusSeconds(600)));
    awaitAnswers(3);

    assertThat(answers.seen()).extracting(HandMade::words).containsOnly(step.refused("EXPIRED"));
    assertThat(step.ledger(stack, order)).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource
  void whatHasNotExpiredIsDone(HandMade step) {
    broker.publish(
        step.action(order).withReplyTo(replyTo).withExpiresAt(Instant.now().plusSeconds(600)));
    awaitAnswers(1);

    assertThat(step.ledger(stack, order))
        .extracting(LedgerEntry::kind)
        .containsExactly(step.doneAndUndone().getFirst());
  }

  private void awaitAnswers(int count) {
    await(count + " answers")
        .atMost(SOON)
        .untilAsserted(() -> assertThat(answers.seen()).hasSizeGreaterThanOrEqualTo(count));
  }
}
