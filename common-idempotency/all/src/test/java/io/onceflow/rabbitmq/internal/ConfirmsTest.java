package io.onceflow.rabbitmq.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import io.onceflow.outbox.internal.transport.PendingAnswers;
import io.onceflow.outbox.internal.transport.Publisher.Published;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rule 3 in small: what counts as confirmed. */
@Timeout(30)
class ConfirmsTest {

  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration NOW = Duration.ZERO;

  private final Confirms confirms = new Confirms();
  private final PendingAnswers answers = new PendingAnswers();
  private final OutgoingMessage first = command();
  private final OutgoingMessage second = command();
  private final OutgoingMessage third = command();
  private final UUID one = first.id();
  private final UUID two = second.id();
  private final UUID three = third.id();

  /** As {@link PublishingChannel} does. */
  private void publish(long sequenceNumber, OutgoingMessage message) {
    answers.expect(message.id(), 1);
    publishPart(sequenceNumber, message);
  }

  private void publishPart(long sequenceNumber, OutgoingMessage part) {
    confirms
        .expect(sequenceNumber, part)
        .thenAccept(why -> answers.answer(part.id(), why.orElse(null)));
  }

  private static OutgoingMessage command() {
    return OutgoingMessage.each(List.of(message())).getFirst();
  }

  private static OutboxMessage message() {
    return new OutboxMessage(
        OutboxMessage.newId(),
        "payment",
        "1",
        "TakeMoney",
        "{}",
        OutboxMessage.COMMANDS,
        "payment.take",
        "saga",
        "order-service",
        Map.of());
  }

  @BeforeEach
  void threeArePublished() {
    publish(1, first);
    publish(2, second);
    publish(3, third);
  }

  @Test
  void anAckConfirmsOne() throws Exception {
    confirms.answered(2, false, true);
    assertThat(answers.await(NOW).confirmed()).containsExactly(two);
    assertThat(answers.isSettled()).isFalse();
  }

  @Test
  void aMultipleAckConfirmsAllUpToIt() throws Exception {
    confirms.answered(2, true, true);
    assertThat(answers.await(NOW).confirmed()).containsExactlyInAnyOrder(one, two);
  }

  @Test
  void theAcksMayComeInAnyOrder() throws Exception {
    confirms.answered(3, false, true);
    confirms.answered(1, false, true);
    confirms.answered(2, false, true);
    assertThat(answers.await(LONG).confirmed()).containsExactlyInAnyOrder(one, two, three);
    assertThat(answers.isSettled()).isTrue();
  }

  @Test
  void aReturnBeforeItsAckIsARefusal() throws Exception {
    confirms.returned(two, "no queue is bound");
    confirms.answered(3, true, true);
    Published published = answers.await(LONG);
    assertThat(published.confirmed()).containsExactlyInAnyOrder(one, three);
    assertThat(published.refused()).containsExactly(Map.entry(two, "no queue is bound"));
  }

  @Test
  void aReturnAloneIsNoAnswer() throws Exception {
    confirms.returned(two, "no queue is bound");
    assertThat(answers.await(NOW)).isEqualTo(new Published(Set.of(), Map.of()));
  }

  @Test
  void aNackIsARefusalThatNamesTheRoute() throws Exception {
    confirms.answered(1, false, false);
    confirms.answered(3, true, true);
    Published published = answers.await(LONG);
    assertThat(published.confirmed()).containsExactlyInAnyOrder(two, three);
    assertThat(published.refused()).containsOnlyKeys(one);
    assertThat(published.refused().get(one)).contains("payment.take");
  }

  /** Qpid returns what it has nacked before. */
  @Test
  void aReturnAfterItsNackSaysWhy() throws Exception {
    confirms.answered(1, false, false);
    answers.explain(one, "no queue is bound");
    assertThat(answers.await(NOW).refused()).containsEntry(one, "no queue is bound");
  }

  @Test
  void aReturnThatComesTooLateDoesNotStandAgainstTheNextPublication() throws Exception {
    confirms.answered(3, true, false);
    assertThat(answers.await(LONG).refused()).containsOnlyKeys(one, two, three);
    confirms.returned(one, "no queue is bound");
    answers.explain(one, "no queue is bound");
    publish(4, first);
    confirms.answered(4, false, true);
    Published again = answers.await(LONG);
    assertThat(again.confirmed()).containsExactly(one);
    assertThat(again.refused()).isEmpty();
  }

  @Test
  void whatIsNotAnsweredByTheDeadlineIsInDoubt() throws Exception {
    confirms.answered(1, false, true);
    Published published = answers.await(Duration.ofMillis(1));
    assertThat(published.confirmed()).containsExactly(one);
    assertThat(published.refused()).isEmpty();
    assertThat(answers.isSettled()).isFalse();
  }

  @Test
  void aClosedChannelAnswersNothing() throws Exception {
    confirms.answered(1, false, true);
    confirms.close();
    answers.doubt();
    confirms.answered(3, true, true);
    assertThat(answers.await(Duration.ofDays(1)).confirmed()).containsExactly(one);
    assertThat(answers.isSettled()).isFalse();
  }

  @Test
  void aChannelThatClosesWakesWhoWaits() throws Exception {
    CompletableFuture<Published> awaited =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return answers.await(Duration.ofDays(1));
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    confirms.answered(2, true, true);
    answers.doubt();
    assertThat(awaited.get().confirmed()).containsExactlyInAnyOrder(one, two);
  }

  @Test
  void whatCouldNotBePublishedIsNotWaitedFor() throws Exception {
    confirms.answered(2, true, true);
    answers.refuse(three, "it is too long");
    Published published = answers.await(Duration.ofDays(1));
    assertThat(published.confirmed()).containsExactlyInAnyOrder(one, two);
    assertThat(published.refused()).containsOnlyKeys(three);
    assertThat(answers.isSettled()).isTrue();
  }

  @Test
  void everyBatchIsToldOfItsOwnOnly() throws Exception {
    confirms.answered(3, true, true);
    answers.await(LONG);
    publish(4, command());
    assertThat(answers.await(NOW).confirmed()).isEmpty();
  }

  @Test
  void severalOfOneIdAreConfirmedTogether() throws Exception {
    OutgoingMessage bundle = publishedApart(4);
    confirms.answered(4, true, true);
    assertThat(answers.await(NOW).confirmed()).doesNotContain(bundle.id());
    confirms.answered(5, false, true);
    assertThat(answers.await(NOW).confirmed()).containsExactly(bundle.id());
  }

  @Test
  void severalOfOneIdAreRefusedIfOneIs() throws Exception {
    OutgoingMessage bundle = publishedApart(4);
    confirms.returned(bundle.messages().getFirst().id(), "no queue is bound");
    confirms.answered(5, true, true);
    Published published = answers.await(LONG);
    assertThat(published.confirmed()).containsExactlyInAnyOrder(one, two, three);
    assertThat(published.refused()).containsExactly(Map.entry(bundle.id(), "no queue is bound"));
  }

  /** A late answer to one of them says nothing of the others. */
  @Test
  void severalOfOneIdAreRefusedIfOneCannotBePublished() throws Exception {
    OutgoingMessage bundle = publishedApart(4);
    answers.refuse(bundle.id(), "it is too long");
    confirms.answered(5, true, true);
    assertThat(answers.await(LONG).confirmed()).doesNotContain(bundle.id());
  }

  private OutgoingMessage publishedApart(long sequenceNumber) {
    OutgoingMessage bundle = new OutgoingMessage(UUID.randomUUID(), List.of(message(), message()));
    answers.expect(bundle.id(), 2);
    publishPart(sequenceNumber, bundle.apart().get(0));
    publishPart(sequenceNumber + 1, bundle.apart().get(1));
    return bundle;
  }
}
