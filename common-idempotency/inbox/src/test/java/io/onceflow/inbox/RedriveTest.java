package io.onceflow.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.consumer.IdempotentReceiver;
import io.onceflow.inbox.internal.consumer.InboundMessage;
import io.onceflow.inbox.internal.consumer.ReceiverByType;
import io.onceflow.inbox.internal.parking.ParkedMessage;
import io.onceflow.inbox.internal.parking.RedriveResult;
import io.onceflow.inbox.internal.parking.RedriveResult.Outcome;
import io.onceflow.inbox.internal.parking.RedriveService;
import io.onceflow.inbox.internal.parking.SagaQueryFailed;
import io.onceflow.outbox.OwnUnitOfWork;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rule 13: redriving goes through inbox and saga again, and changes nothing where it fails. */
@Timeout(60)
class RedriveTest extends RedriveFixture {

  @Test
  void carriesOutWhatWasParkedAndHasItParkedNoMore() throws Exception {
    UUID id = park(saga.take());

    assertThat(redrive(id).outcome()).isEqualTo(Outcome.REDRIVEN);

    await().until(() -> saga.replies().equals(List.of("MoneyTaken")));
    assertThat(saga.charge()).isEqualTo("CHARGED");
    assertThat(parked.find(id)).isEmpty();
    assertThat(redriven("redriven")).isEqualTo(1);
  }

  @Test
  void carriesOutNothingTwice() throws Exception {
    UUID first = park(saga.take());
    redrive(first);
    await().until(() -> saga.replies().size() == 1);

    assertThat(redrive(first).outcome()).isEqualTo(Outcome.NOT_PARKED);
    assertThat(redrive(park(saga.take())).outcome()).isEqualTo(Outcome.REDRIVEN);

    assertThat(saga.replies()).as("answered again").containsExactly("MoneyTaken", "MoneyTaken");
    assertThat(fixture.world.callsUnder(saga.takeKey())).isEqualTo(1);
  }

  @Test
  void letsTwoOperatorsWhoRedriveAtOnceCarryItOutOnce() throws Exception {
    UUID id = park(saga.take(Handlers.DECLINED));
    CyclicBarrier together = new CyclicBarrier(2);

    List<CompletableFuture<RedriveResult>> both =
        Stream.generate(
                () ->
                    CompletableFuture.supplyAsync(
                        () -> {
                          try {
                            together.await();
                            return redrive(id);
                          } catch (Exception e) {
                            throw new AssertionError(e);
                          }
                        }))
            .limit(2)
            .toList();

    assertThat(both)
        .extracting(redrive -> redrive.join().outcome())
        .containsExactlyInAnyOrder(Outcome.REDRIVEN, Outcome.NOT_PARKED);
    assertThat(saga.replies()).containsExactly("MoneyDeclined");
  }

  @Test
  void saysWhyAMessageStillCannotBeHandledAndKeepsIt() throws Exception {
    UUID id = park(saga.command("TakeMoney", "{"));

    RedriveResult redrive = redrive(id);

    assertThat(redrive.outcome()).isEqualTo(Outcome.STILL_UNHANDLED);
    assertThat(redrive.detail()).startsWith("malformed: the payload is no TakeMoney");
    assertThat(saga.parkedFor())
        .as("instead of what it was parked for")
        .containsExactly("malformed");
    assertThat(parked.find(id).orElseThrow().payload()).isEqualTo("{");
  }

  /** Such as a record with two keys: of what was stored, the last one counted. */
  @Test
  void findsTheTransportsFaultAgainUnlessAnOperatorHasChangedTheMessage() throws Exception {
    Delivery twice =
        faulty(saga.take(Handlers.DECLINED), "header x-idempotency-key is there twice");
    participant.settle(List.of(twice));
    UUID id = idOf(twice);

    RedriveResult redrive = redrive(id);

    assertThat(redrive.outcome()).isEqualTo(Outcome.STILL_UNHANDLED);
    assertThat(redrive.detail()).isEqualTo("malformed: header x-idempotency-key is there twice");
    assertThat(saga.statusOf(saga.takeKey())).isNull();

    parked.edit(id, new String(twice.body(), UTF_8), "olga", "the second key is right");
    assertThat(redrive(id).outcome()).isEqualTo(Outcome.REDRIVEN);
  }

  /** Only a transport can say that. */
  @Test
  void believesNoSenderWhoFindsFaultWithItsOwnMessage() throws Exception {
    UUID id = park(saga.with(Map.of("x-onceflow-fault", "a lie"), saga.take(Handlers.DECLINED)));

    assertThat(redrive(id).outcome()).isEqualTo(Outcome.REDRIVEN);
  }

  @Test
  void keepsNothingOfWhatFailsInTheHandlerOrInTheDatabase() throws Exception {
    for (long amount : new long[] {Handlers.HANDLER_THROWS, Handlers.DATABASE_REFUSES}) {
      Saga failing = new Saga();
      UUID id = park(failing.take(amount));

      assertThat(redrive(id).outcome()).isEqualTo(Outcome.STILL_UNHANDLED);

      assertThat(failing.parkedFor()).containsExactly("handling-failed");
      assertThat(failing.statusOf(failing.takeKey())).isNull();
      assertThat(parked.find(id).orElseThrow().detail()).doesNotContain("there was a bug");
    }
  }

  @Test
  void parksNoSecondMessageForAFingerprintThatStillDiffers() throws Exception {
    participant.settle(List.of(saga.take(Handlers.DECLINED)));
    UUID id = park(saga.take(14));

    assertThat(redrive(id).detail()).startsWith("fingerprint-mismatch");

    assertThat(saga.parkedFor()).containsExactly("fingerprint-mismatch");
  }

  @Test
  void asksTheSagaFirstAndChangesNothingIfItObjects() throws Exception {
    UUID id = park(saga.take());

    RedriveResult redrive =
        redrive(id, (message, operator) -> Optional.of(operator + " is too late"));

    assertThat(redrive).isEqualTo(new RedriveResult(Outcome.SAGA_ENDED, "olga is too late"));
    assertThat(saga.parkedFor()).containsExactly("handling-failed");
    assertThat(saga.statusOf(saga.takeKey())).isNull();
  }

  @Test
  void changesNothingWhenTheSagaCannotBeAsked() throws Exception {
    UUID id = park(saga.take());

    RedriveResult redrive =
        redrive(
            id,
            (message, operator) -> {
              throw new SagaQueryFailed("nobody answers");
            });

    assertThat(redrive).isEqualTo(new RedriveResult(Outcome.SAGA_NOT_ASKED, "nobody answers"));
    assertThat(saga.parkedFor()).containsExactly("handling-failed");
  }

  @Test
  void hasNobodyToAskAboutAMessageOfNoSaga() throws Exception {
    UUID id = park(withoutSaga(saga.take(Handlers.DECLINED)));

    RedriveResult redrive =
        redrive(id, (message, operator) -> Optional.of("there is no saga null"));

    assertThat(redrive.outcome()).isEqualTo(Outcome.REDRIVEN);
    assertThat(saga.statusOf(saga.takeKey())).isEqualTo("COMPLETED");
  }

  /** Rule 14: the inbox may have forgotten what was done since. */
  @Test
  void refusesWhatWasParkedLongerAgoThanAnybodyRemembers() throws Exception {
    UUID id = park(saga.take());
    Saga.PAYMENTS.update(
        "UPDATE parked_message SET parked_at = now() - interval '14 days 1 minute' WHERE id = ?",
        id);

    RedriveResult redrive = redrive(id);

    assertThat(redrive.outcome()).isEqualTo(Outcome.TOO_OLD);
    assertThat(redrive.detail()).contains("onceflow.inbox.longest-redrive-age");
    assertThat(saga.parkedFor()).hasSize(1);
  }

  @Test
  void recordsAReplyThatWasParkedOnce() throws Exception {
    List<InboundMessage> recorded = new ArrayList<>();
    IdempotentReceiver replies =
        new IdempotentReceiver(
            OwnUnitOfWork.on(Saga.PAYMENTS.source()),
            fixture.parking(),
            new ReceiverByType(
                message -> Optional.of("record-taking"), (tx, fresh) -> recorded.addAll(fresh)));
    RedriveService redriveService = redriving(replies, (message, operator) -> Optional.empty());

    assertThat(redriveService.redrive(park(saga.take()), OLGA).outcome())
        .isEqualTo(Outcome.REDRIVEN);
    assertThat(redriveService.redrive(park(saga.take()), OLGA).outcome())
        .isEqualTo(Outcome.REDRIVEN);
    assertThat(redriveService.redrive(park(saga.take(7)), OLGA).detail())
        .startsWith("fingerprint-mismatch");

    assertThat(recorded).hasSize(1);
    assertThat(saga.parkedFor()).containsExactly("fingerprint-mismatch");
  }

  @Test
  void handsAMessageOnAsItCame() throws Exception {
    Delivery delivery = saga.take();
    UUID id = park(delivery);

    ParkedMessage shown = parked.find(id).orElseThrow();

    assertThat(shown.headers()).isEqualTo(delivery.headers());
    assertThat(shown.payload()).isEqualTo(new String(delivery.body(), UTF_8));
    assertThat(shown.replyTo()).isEqualTo(delivery.replyTo());
  }

  @Test
  void throwsAMessageAwayOnce() throws Exception {
    UUID id = park(saga.take());

    assertThat(parked.delete(id, "olga", null)).isTrue();
    assertThat(parked.delete(id, "olga", null)).isFalse();

    assertThat(saga.parkedFor()).isEmpty();
    assertThat(fixture.metrics.get("onceflow.inbox.parked.deleted").counter().count()).isEqualTo(1);
  }

  @Test
  void recordsInTheAuditLogWhoRedroveAndWhatItCameTo() throws Exception {
    UUID id = park(saga.command("TakeMoney", "{"));

    redrive(id);
    redrive(UUID.randomUUID());

    assertThat(audited(id))
        .containsExactly("olga redrive null", "olga redrive-outcome still-unhandled");
  }

  @Test
  void recordsInTheAuditLogWhoThrewAMessageAway() throws Exception {
    UUID id = park(saga.take());

    parked.delete(id, "olga", null);
    parked.delete(id, "otto", null);

    assertThat(audited(id)).containsExactly("olga delete null");
  }

  @Test
  void neverWritesTheOperatorsTokenDown() {
    assertThat(OLGA).hasToString("olga");
  }

  private static Delivery faulty(Delivery it, String fault) {
    return new Delivery(
        it.queue(),
        it.messageId(),
        it.type(),
        it.correlationId(),
        it.replyTo(),
        it.headers(),
        it.body(),
        () -> {},
        fault,
        null);
  }

  private static Delivery withoutSaga(Delivery it) {
    return new Delivery(
        it.queue(), it.messageId(), it.type(), null, null, it.headers(), it.body(), () -> {});
  }

  private double redriven(String outcome) {
    return fixture.metrics.get("onceflow.inbox.redriven").tag("outcome", outcome).counter().count();
  }
}
