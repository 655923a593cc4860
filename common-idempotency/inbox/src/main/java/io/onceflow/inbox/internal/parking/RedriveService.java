package io.onceflow.inbox.internal.parking;

import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.inbox.internal.consumer.Redriver;
import io.onceflow.inbox.internal.parking.RedriveCheck.Operator;
import io.onceflow.inbox.internal.parking.RedriveResult.Outcome;
import io.onceflow.participant.Answer.UnprocessableMessage;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jboss.logging.Logger;

/**
 * Lets operators redrive what is parked (rule 13). The saga is asked first, before any transaction
 * is open; then the message goes through the inbox as if it had just arrived, and its parked row is
 * deleted in the same transaction. The saga's answer may be outdated a moment later: it only saves
 * operators from mistakes; that the message takes effect once is the inbox's guarantee.
 */
public final class RedriveService {

  private static final Logger LOG = Logger.getLogger(RedriveService.class);

  private final Redriver redriver;
  private final ParkedMessages parked;
  private final RedriveCheck sagas;
  private final Duration longestAge;
  private final Optional<Integer> editedAlone;

  /**
   * @param redriver handles them as it handles messages that arrive
   * @param sagas asked about messages that have a correlation-id
   * @param config says for how long a parked message may be redriven
   */
  public RedriveService(
      Redriver redriver, ParkedMessages parked, RedriveCheck sagas, InboxConfig config) {
    this.redriver = redriver;
    this.parked = parked;
    this.sagas = sagas;
    this.longestAge = config.longestRedriveAge();
    this.editedAlone = config.edits().secondOperator().above();
  }

  /**
   * Redrives one message. The audit log has the request before it is carried out, and its outcome
   * after that: should the process end between the two, who asked is known.
   *
   * @throws SQLException when the database is unavailable; nothing has changed then
   */
  public RedriveResult redrive(UUID id, Operator operator) throws SQLException {
    RedriveResult redrive = attempt(id, operator);
    parked.countRedrive(redrive.outcome());
    if (redrive.outcome() != Outcome.NOT_PARKED) {
      parked.endRedrive(id, operator.name(), redrive.outcome());
    }
    LOG.infof(
        "%s redrives the parked message %s: %s. %s",
        operator, id, redrive.outcome().word(), redrive.detail());
    return redrive;
  }

  private RedriveResult attempt(UUID id, Operator operator) throws SQLException {
    Optional<ParkedMessage> found = parked.find(id);
    if (found.isEmpty()) {
      return new RedriveResult(Outcome.NOT_PARKED, "");
    }
    if (parked.beginRedrive(id, operator.name(), longestAge)) {
      return new RedriveResult(Outcome.TOO_OLD, tooOld(found.get()));
    }
    Optional<RedriveResult> refusal = foresee(found.get(), operator);
    return refusal.isPresent() ? refusal.get() : settle(found.get());
  }

  /** What speaks against redriving a message, which changes nothing; empty when nothing does. */
  Optional<RedriveResult> foresee(ParkedMessage message, Operator operator) throws SQLException {
    if (needsAnother(message, operator)) {
      return Optional.of(new RedriveResult(Outcome.SECOND_OPERATOR_NEEDED, editedBy(operator)));
    }
    try {
      return objection(message, operator).map(it -> new RedriveResult(Outcome.SAGA_ENDED, it));
    } catch (SagaQueryFailed e) {
      return Optional.of(new RedriveResult(Outcome.SAGA_NOT_ASKED, String.valueOf(e.getMessage())));
    }
  }

  private Optional<String> objection(ParkedMessage message, Operator operator) throws SQLException {
    return message.correlationId() == null ? Optional.empty() : sagas.objection(message, operator);
  }

  private boolean needsAnother(ParkedMessage message, Operator operator) {
    return editedAlone.isPresent()
        && operator.name().equals(message.editedBy())
        && message.largestPayload() > editedAlone.get();
  }

  private RedriveResult settle(ParkedMessage message) throws SQLException {
    RedriveAttempt.Result result =
        new RedriveAttempt(redriver, parked)
            .settle(message.id(), message.queue(), message.editedAt());
    UnprocessableMessage why = result.why();
    if (why == null) {
      return result.wasParked() ? new RedriveResult(Outcome.REDRIVEN, "") : gone(message.id());
    }
    parked.explain(message.id(), why);
    return new RedriveResult(
        Outcome.STILL_UNHANDLED, "%s: %s".formatted(why.reason().word(), why.getMessage()));
  }

  /** By another operator's redrive or deletion, or it is as another operator has just made it. */
  private RedriveResult gone(UUID id) throws SQLException {
    return parked.find(id).isEmpty()
        ? new RedriveResult(Outcome.NOT_PARKED, "")
        : new RedriveResult(
            Outcome.EDITED_MEANWHILE, "It was edited while it was being redriven. Read it again.");
  }

  private static String editedBy(Operator operator) {
    return "%s has edited it, so another operator has to redrive it (onceflow.inbox.edits.second-operator.above)."
        .formatted(operator.name());
  }

  private String tooOld(ParkedMessage message) {
    return "It was parked at %s, longer ago than onceflow.inbox.longest-redrive-age (%s) allows."
        .formatted(message.parkedAt(), longestAge);
  }
}
