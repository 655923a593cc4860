package io.onceflow.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.inbox.internal.audit.AuditFilter;
import io.onceflow.inbox.internal.audit.AuditReads;
import io.onceflow.inbox.internal.audit.AuditSubject;
import io.onceflow.inbox.internal.consumer.BatchSettler;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.consumer.IdempotentReceiver;
import io.onceflow.inbox.internal.consumer.InboundMessage;
import io.onceflow.inbox.internal.consumer.ReceiverByType;
import io.onceflow.inbox.internal.parking.ParkedMessageDetail;
import io.onceflow.inbox.internal.parking.ParkedMessages;
import io.onceflow.inbox.internal.parking.ParkingReason;
import io.onceflow.inbox.internal.parking.RedriveCheck;
import io.onceflow.inbox.internal.parking.RedriveCheck.Operator;
import io.onceflow.inbox.internal.parking.RedriveResult;
import io.onceflow.inbox.internal.parking.RedriveResult.Outcome;
import io.onceflow.inbox.internal.parking.RedriveService;
import io.onceflow.inbox.internal.parking.SagaQueryFailed;
import io.onceflow.inbox.internal.participant.Participant;
import io.onceflow.outbox.PlainUnitOfWork;
import io.onceflow.participant.Answer.UnprocessableMessage;
import io.onceflow.test.internal.TestConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rule 13: redriving goes through inbox and saga again, and changes nothing where it fails. */
@Timeout(60)
class RedriveTest {

  private static final Operator OLGA = new Operator("olga", "secret-token");
  private static final Operator OTTO = new Operator("otto", "another-token");
  private static final UnprocessableMessage BY_MISTAKE =
      new UnprocessableMessage(ParkingReason.HANDLING_FAILED, "there was a bug");

  private final Fixture fixture = new Fixture();
  private final Participant<Charge> participant = fixture.participant();
  private final ParkedMessages parked =
      new ParkedMessages(Saga.PAYMENTS.source(), Fixture.JSON, fixture.metrics);
  private final Saga saga = new Saga();

  @AfterEach
  void close() {
    fixture.close();
  }

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
  void carriesOutWhatAnOperatorMadeOfIt() throws Exception {
    UUID id = park(saga.command("TakeMoney", "{"));
    String mended = new String(saga.take(Handlers.DECLINED).body(), UTF_8);

    assertThat(parked.edit(id, mended, "olga", "it was cut off")).isTrue();
    assertThat(parked.find(id).orElseThrow().originalPayload()).isEqualTo("{");
    assertThat(redrive(id).outcome()).isEqualTo(Outcome.REDRIVEN);

    assertThat(saga.replies()).containsExactly("MoneyDeclined");
    assertThat(parked.edit(id, mended, "olga", "again")).isFalse();
    assertThat(audited(id)).startsWith("olga edit null", "olga redrive null");
  }

  @Test
  void hasAnotherOperatorRedriveWhatOneHasEdited() throws Exception {
    UUID id = park(saga.command("TakeMoney", "{"));
    String mended = new String(saga.take(Handlers.DECLINED).body(), UTF_8);
    RedriveService strict = redrivingEditsAbove(mended.length() - 1);
    parked.edit(id, mended, "olga", "it was cut off");

    RedriveResult alone = strict.redrive(id, OLGA);
    assertThat(alone.outcome()).isEqualTo(Outcome.SECOND_OPERATOR_NEEDED);
    assertThat(alone.detail()).contains("olga", "onceflow.inbox.edits.second-operator.above");
    assertThat(saga.replies()).isEmpty();

    assertThat(strict.redrive(id, OTTO).outcome()).isEqualTo(Outcome.REDRIVEN);
    assertThat(saga.replies()).containsExactly("MoneyDeclined");
    assertThat(audited(id)).contains("olga redrive-outcome second-operator-needed");
  }

  @Test
  void hasOneOperatorRedriveASmallEditAndWhatWasNotEdited() throws Exception {
    UUID small = park(saga.command("TakeMoney", "{"));
    String mended = new String(saga.take(Handlers.DECLINED).body(), UTF_8);
    parked.edit(small, mended, "olga", "it was cut off");

    assertThat(redrivingEditsAbove(mended.length()).redrive(small, OLGA).outcome())
        .isEqualTo(Outcome.REDRIVEN);
    assertThat(redrivingEditsAbove(0).redrive(park(new Saga().take()), OLGA).outcome())
        .isEqualTo(Outcome.REDRIVEN);
  }

  /** Or it would take effect unseen. */
  @Test
  void leavesWhatIsEditedWhileItIsRedriven() throws Exception {
    UUID id = park(saga.take());
    RedriveCheck editing =
        (message, operator) -> {
          parked.edit(id, "{\"other\": true}", "otto", "meanwhile");
          return Optional.empty();
        };

    assertThat(redrive(id, editing).outcome()).isEqualTo(Outcome.EDITED_MEANWHILE);

    assertThat(saga.statusOf(saga.takeKey())).isNull();
    assertThat(parked.find(id).orElseThrow().editedBy()).isEqualTo("otto");
  }

  /** Attempts that are made by themselves are for messages as they came. */
  @Test
  void leavesWhatWasEditedToOperators() throws Exception {
    UUID id = park(saga.take());
    Saga.PAYMENTS.update("UPDATE parked_message SET next_attempt_at = now() WHERE id = ?", id);

    parked.edit(id, "{", "olga", "a try");

    assertThat(parked.find(id).orElseThrow().nextAttemptAt()).isNull();
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
            PlainUnitOfWork.on(Saga.PAYMENTS.source()),
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

    ParkedMessageDetail shown = parked.find(id).orElseThrow();

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

  private static List<String> audited(UUID message) throws Exception {
    return new AuditReads(Saga.PAYMENTS.source())
            .newest(new AuditFilter(AuditSubject.parkedMessage(message), null, null, null, 9))
            .reversed()
            .stream()
            .map(it -> "%s %s %s".formatted(it.actor(), it.action(), it.detail()))
            .toList();
  }

  @Test
  void neverWritesTheOperatorsTokenDown() {
    assertThat(OLGA).hasToString("olga");
  }

  private RedriveResult redrive(UUID id) throws Exception {
    return redrive(id, (message, operator) -> Optional.empty());
  }

  private RedriveResult redrive(UUID id, RedriveCheck question) throws Exception {
    return redriving(participant, question).redrive(id, OLGA);
  }

  private RedriveService redriving(BatchSettler settler, RedriveCheck question) {
    return new RedriveService(settler, parked, question, TestConfig.inbox());
  }

  private RedriveService redrivingEditsAbove(int bytes) {
    return new RedriveService(
        participant,
        parked,
        (message, operator) -> Optional.empty(),
        TestConfig.inbox(Map.of("edits.second-operator.above", bytes)));
  }

  /** Parks it as if handling it had failed by mistake, and tells under which id. */
  private UUID park(Delivery delivery) throws Exception {
    participant.park(delivery, BY_MISTAKE);
    return idOf(delivery);
  }

  private static UUID idOf(Delivery delivery) throws Exception {
    @Nullable String id =
        Saga.PAYMENTS.text(
            "SELECT id::text FROM parked_message WHERE message_id = ?", delivery.messageId());
    return UUID.fromString(String.valueOf(id));
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
