package io.onceflow.systemtests;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compensations that come before what they undo (rule 6); sent by hand, so that they surely do. */
@SystemTest
class OvertakingTest {

  private static final Duration SOON = Duration.ofMinutes(2);

  /** So many pairs at once: some land in one batch of the inbox, some are torn apart. */
  private static final int PAIRS = 30;

  private final Stack stack = Stack.get();
  private final String replyTo = "system-tests." + UUID.randomUUID();
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
  void whatIsUndoneBeforeItCameIsNeverDoneAndBothAreAnswered(HandMade step) {
    UUID order = UUID.randomUUID();
    Message undo = step.undo(order).withReplyTo(replyTo);

    broker.publish(undo);
    awaitAnswers(1);
    broker.publish(step.actionAfter(undo, order));
    awaitAnswers(2);

    assertThat(answersByOrder().get(order))
        .containsExactly(step.undone(), step.refused("CANCELLED"));
    assertThat(step.ledger(stack, order)).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource
  void whatIsUndoneAMomentBeforeItComesIsNeverDoneEither(HandMade step) {
    List<UUID> orders = Stream.generate(UUID::randomUUID).limit(PAIRS).toList();

    orders.forEach(
        order -> {
          Message undo = step.undo(order).withReplyTo(replyTo);
          broker.publish(undo);
          broker.publish(step.actionAfter(undo, order));
        });
    awaitAnswers(2 * PAIRS);

    Map<UUID, List<String>> answersByOrder = answersByOrder();
    assertThat(orders)
        .allSatisfy(
            order -> {
              assertThat(answersByOrder.get(order))
                  .containsExactlyInAnyOrder(step.undone(), step.refused("CANCELLED"));
              assertThat(step.ledger(stack, order)).isEmpty();
            });
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource
  void whatIsUndoneAMomentAfterItCameIsDoneAndUndoneOnceOrNeverDone(HandMade step) {
    List<UUID> orders = Stream.generate(UUID::randomUUID).limit(PAIRS).toList();

    orders.forEach(
        order -> {
          Message undo = step.undo(order).withReplyTo(replyTo);
          broker.publish(step.actionAfter(undo, order));
          broker.publish(undo);
        });
    awaitAnswers(2 * PAIRS);

    Map<UUID, List<String>> answersByOrder = answersByOrder();
    assertThat(orders)
        .allSatisfy(
            order ->
                assertThat(step.ledger(stack, order))
                    .as("ledger of %s, answered %s", order, answersByOrder.get(order))
                    .extracting(LedgerEntry::kind)
                    .isIn(List.of(), step.doneAndUndone()));
  }

  private void awaitAnswers(int count) {
    await(count + " answers")
        .atMost(SOON)
        .untilAsserted(() -> assertThat(answers.seen()).hasSizeGreaterThanOrEqualTo(count));
  }

  /** Each with its type, and with what it says beside the order. */
  private Map<UUID, List<String>> answersByOrder() {
    return answers.seen().stream()
        .collect(groupingBy(HandMade::order, mapping(HandMade::words, toList())));
  }
}
