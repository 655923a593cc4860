package io.onceflow.inbox;

import io.onceflow.inbox.internal.audit.AuditFilter;
import io.onceflow.inbox.internal.audit.AuditReads;
import io.onceflow.inbox.internal.audit.AuditSubject;
import io.onceflow.inbox.internal.consumer.BatchSettler;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.parking.ParkedMessages;
import io.onceflow.inbox.internal.parking.ParkingReason;
import io.onceflow.inbox.internal.parking.RedriveCheck;
import io.onceflow.inbox.internal.parking.RedriveCheck.Operator;
import io.onceflow.inbox.internal.parking.RedriveResult;
import io.onceflow.inbox.internal.parking.RedriveService;
import io.onceflow.inbox.internal.participant.Participant;
import io.onceflow.participant.Answer.UnprocessableMessage;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** Parks messages, and redrives them. */
abstract class RedriveFixture {

  static final Operator OLGA = new Operator("olga", "secret-token");
  private static final UnprocessableMessage BY_MISTAKE =
      new UnprocessableMessage(ParkingReason.HANDLING_FAILED, "there was a bug");

  final Fixture fixture = new Fixture();
  final Participant participant = fixture.participant();
  final ParkedMessages parked =
      new ParkedMessages(Saga.PAYMENTS.source(), Fixture.JSON, fixture.metrics);
  final Saga saga = new Saga();

  @AfterEach
  void close() {
    fixture.close();
  }

  static List<String> audited(UUID message) throws Exception {
    return new AuditReads(Saga.PAYMENTS.source())
            .newest(new AuditFilter(AuditSubject.parkedMessage(message), null, null, null, 9))
            .reversed()
            .stream()
            .map(it -> "%s %s %s".formatted(it.actor(), it.action(), it.detail()))
            .toList();
  }

  RedriveResult redrive(UUID id) throws Exception {
    return redrive(id, (message, operator) -> Optional.empty());
  }

  RedriveResult redrive(UUID id, RedriveCheck question) throws Exception {
    return redriving(participant, question).redrive(id, OLGA);
  }

  RedriveService redriving(BatchSettler settler, RedriveCheck question) {
    return new RedriveService(settler, parked, question, TestConfig.inbox());
  }

  /** Parks it as if handling it had failed by mistake, and tells under which id. */
  UUID park(Delivery delivery) throws Exception {
    participant.park(delivery, BY_MISTAKE);
    return idOf(delivery);
  }

  static UUID idOf(Delivery delivery) throws Exception {
    @Nullable String id =
        Saga.PAYMENTS.text(
            "SELECT id::text FROM parked_message WHERE message_id = ?", delivery.messageId());
    return UUID.fromString(String.valueOf(id));
  }
}
