package io.onceflow.inbox.internal.participant;

import io.onceflow.inbox.internal.InboxConflict;
import io.onceflow.inbox.internal.InboxRow;
import io.onceflow.inbox.internal.StepOutcome;
import io.onceflow.inbox.internal.call.LaneReservations;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.parking.ParkedMessageSink;
import io.onceflow.inbox.internal.parking.ParkingReason;
import io.onceflow.inbox.internal.participant.ParticipantMetrics.Outcome;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.participant.Answer;
import io.onceflow.participant.Answer.Rejection;
import io.onceflow.participant.Answer.UnprocessableMessage;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * Settles commands of different sagas in one go. Inbox rows are written first: they are the claim,
 * and when another transaction has written one of them meanwhile, the whole batch rolls back.
 */
final class CommandBatch {

  private static final Logger LOG = Logger.getLogger(CommandBatch.class);

  /** RabbitMQ closes the channel of a consumer that keeps a message for twice this time. */
  private static final Duration LONGEST_HELD = Duration.ofMinutes(15);

  private final Transaction tx;
  private final ParticipantDependencies dependencies;
  private final LaneReservations reservations;
  private final ParkedMessageSink parking;
  private final BatchWriter decided;

  /** The rows to be inserted, and how long a started step is left to its owner. */
  private final Map<InboxRow, Duration> claims = new LinkedHashMap<>();

  /** Ended steps that are started again, each with the command that asks for it. */
  private final Map<InboxRow, String> startedAgain = new LinkedHashMap<>();

  /** Steps under way whose message is with the broker, each with the one that has come again. */
  private final Map<InboxRow, String> stored = new LinkedHashMap<>();

  private final List<PendingCall> begun = new ArrayList<>();

  CommandBatch(
      Transaction tx,
      ParticipantDependencies dependencies,
      LaneReservations reservations,
      ParkedMessageSink parking) {
    this.tx = tx;
    this.parking = parking;
    this.dependencies = dependencies;
    this.reservations = reservations;
    this.decided = new BatchWriter(dependencies.rows(), dependencies.participant());
  }

  /** Settles all; returns the steps to call out for once the transaction has committed. */
  List<PendingCall> settle(List<ResolvedCommand> arrived) throws SQLException {
    List<ResolvedCommand> others = begin(arrived);
    Map<InboxRow.Id, InboxRow> known = dependencies.inbox().find(tx.connection(), ids(others));
    List<ResolvedCommand> fresh = new ArrayList<>();
    for (ResolvedCommand one : others) {
      InboxRow row = known.get(one.id());
      if (row != null) {
        repeated(one, row);
      } else if (isValid(one)) {
        fresh.add(one);
      }
    }
    decide(fresh, known);
    claim();
    decided.write(tx);
    return begun;
  }

  /**
   * Starts the actions that call out whatever is known of their steps. That one came before shows
   * when its row is inserted, so nothing is looked for first.
   *
   * @return the other commands, and those that came before
   */
  private List<ResolvedCommand> begin(List<ResolvedCommand> arrived) throws SQLException {
    Instant now = dependencies.expiryPolicy().clock().instant();
    Map<InboxRow.Id, InboxRow> intents = new LinkedHashMap<>();
    Map<InboxRow, Duration> leases = new LinkedHashMap<>();
    for (ResolvedCommand one : arrived) {
      if (one.handler().isCalledOut() && !one.isExpired(now) && one.invalid().isEmpty()) {
        InboxRow intent = intent(one);
        intents.put(one.id(), intent);
        leases.put(intent, lease(intent));
      }
    }
    Set<InboxRow.Id> inserted = dependencies.inbox().insert(tx.connection(), leases);
    List<ResolvedCommand> others = new ArrayList<>();
    List<ResolvedCommand> fresh = new ArrayList<>();
    for (ResolvedCommand one : arrived) {
      (inserted.contains(one.id()) ? fresh : others).add(one);
    }
    List<Decision> decisions = dependencies.decider().decide(tx.connection(), fresh, Map.of());
    for (int i = 0; i < fresh.size(); i++) {
      ResolvedCommand one = fresh.get(i);
      callOut(one, intents.get(one.id()), decisions.get(i));
    }
    return others;
  }

  /** What was taken before is answered, even if constraints that are new would refuse it today. */
  private boolean isValid(ResolvedCommand one) throws SQLException {
    Optional<UnprocessableMessage> invalid = one.invalid();
    if (invalid.isPresent()) {
      parking.park(tx, one.arrived(), invalid.get());
    }
    return invalid.isEmpty();
  }

  /** A command that has expired is not started: its answer stands in its place (rule 11). */
  private void decide(List<ResolvedCommand> fresh, Map<InboxRow.Id, InboxRow> known)
      throws SQLException {
    Instant now = dependencies.expiryPolicy().clock().instant();
    List<ResolvedCommand> wanted = new ArrayList<>();
    for (ResolvedCommand one : fresh) {
      if (one.isExpired(now)) {
        answer(one, one.notDone(Rejection.EXPIRED));
      } else {
        wanted.add(one);
      }
    }
    decideWanted(wanted, known);
  }

  private void decideWanted(List<ResolvedCommand> wanted, Map<InboxRow.Id, InboxRow> known)
      throws SQLException {
    List<Decision> decisions = dependencies.decider().decide(tx.connection(), wanted, known);
    for (int i = 0; i < wanted.size(); i++) {
      ResolvedCommand one = wanted.get(i);
      Decision decision = decisions.get(i);
      switch (decision.answer()) {
        case Answer.Reply reply -> {
          if (decision.isTombstone()) {
            claims.put(one.tombstone(), Duration.ZERO);
          }
          answer(one, reply);
        }
        case Answer.Pending pending -> pending(one, pending);
        case Answer.Call call -> {
          InboxRow intent = intent(one);
          claims.put(intent, lease(intent));
          callOut(one, intent, decision);
        }
        case null -> claims.put(row(one), dependencies.backoff().whileWaiting(1));
      }
    }
  }

  /**
   * The message of a step that is called out for stays with the broker, if that keeps it. A step
   * that finds no place in its lane is due at once, and no attempt at it is counted.
   */
  private InboxRow intent(ResolvedCommand command) {
    if (!reservations.take(command)) {
      return row(command).withAttempts(0);
    }
    return isHeld(command.arrived())
        ? InboxRow.started(command.id(), command.fingerprint(), null)
        : row(command);
  }

  private Duration lease(InboxRow intent) {
    return intent.attempts() == 0 ? Duration.ZERO : dependencies.config().lease();
  }

  private void callOut(ResolvedCommand command, InboxRow intent, Decision decision) {
    if (intent.attempts() == 0) {
      dependencies.metrics().count(tx, Outcome.DEFERRED);
    } else if (decision.answer() instanceof Answer.Call call) {
      begun.add(new PendingCall(dependencies.own(command, intent), call, decision.seen()));
    }
  }

  private boolean isHeld(Delivery delivery) {
    return dependencies.config().lease().compareTo(LONGEST_HELD) <= 0
        && reservations.hold(delivery);
  }

  /** A step that its saga does not wait for counts as failed: its result is not known yet. */
  private void pending(ResolvedCommand command, Answer.Pending pending) {
    if (command.mayBePending()) {
      InboxRow resting =
          InboxRow.pending(
              command.id(), command.fingerprint(), dependencies.reader().store(command.message()));
      claims.put(resting, dependencies.expiryPolicy().rest(pending.lookAgainAfter()));
      decided.add(command, pending.rows(), StepOutcome.PENDING);
      dependencies.metrics().count(tx, Outcome.PENDING);
    } else {
      claims.put(row(command), dependencies.backoff().afterFailure(1));
      dependencies.metrics().count(tx, Outcome.CALL_FAILED);
      LOG.warnf(
          "%s is answered as pending, and its saga does not wait; give the step an await", command);
    }
  }

  private void answer(ResolvedCommand command, Answer.Reply answer) {
    StepOutcome outcome = dependencies.outcome(answer);
    claims.put(
        InboxRow.completed(
            command.id(), command.fingerprint(), outcome.toStore(dependencies.json())),
        Duration.ZERO);
    decided.add(command, answer.rows(), outcome);
    dependencies.metrics().count(tx, Outcome.COMPLETED);
  }

  private InboxRow row(ResolvedCommand command) {
    return InboxRow.started(
        command.id(), command.fingerprint(), dependencies.reader().store(command.message()));
  }

  /** What was decided may have changed rows already: it is rolled back where a claim fails. */
  private void claim() throws SQLException {
    expectAll(claims.keySet(), dependencies.inbox().insert(tx.connection(), claims));
    expectAll(
        startedAgain.keySet(), dependencies.inbox().startAgain(tx.connection(), startedAgain));
    expectAll(stored.keySet(), dependencies.inbox().store(tx.connection(), stored));
  }

  private static void expectAll(Set<InboxRow> wanted, Set<InboxRow.Id> claimed)
      throws InboxConflict {
    for (InboxRow row : wanted) {
      if (!claimed.contains(row.id())) {
        throw new InboxConflict(row.id().toString());
      }
    }
  }

  private void repeated(ResolvedCommand command, InboxRow row) throws SQLException {
    dependencies.metrics().count(tx, Outcome.REPEATED);
    switch (row.status()) {
      case TOMBSTONE ->
          decided.reply(command, dependencies.outcome(command.notDone(Rejection.CANCELLED)));
      case STARTED, COMPLETED -> {
        if (!command.fingerprint().equals(row.fingerprint())) {
          parking.park(tx, command.arrived(), mismatch(command));
        } else if (row.status() == InboxRow.Status.COMPLETED) {
          ended(command, row);
        } else if (row.isPending()) {
          decided.reply(command, StepOutcome.PENDING);
        } else if (row.envelope() == null) {
          // Its owner may be gone, and the broker have kept this: taken over when the lease ends.
          stored.put(row, dependencies.reader().store(command.message()));
        } else {
          LOG.debugf("%s runs already; its owner answers", command);
        }
      }
    }
  }

  /** A command that is sent until it is done is not refused for ever: recovery takes it up. */
  private void ended(ResolvedCommand command, InboxRow row) {
    StepOutcome outcome = StepOutcome.stored(String.valueOf(row.outcome()), dependencies.json());
    if (command.isEndedBy(outcome)) {
      decided.reply(command, outcome);
    } else {
      startedAgain.put(row, dependencies.reader().store(command.message()));
    }
  }

  private static UnprocessableMessage mismatch(ResolvedCommand command) {
    return new UnprocessableMessage(
        ParkingReason.FINGERPRINT_MISMATCH,
        "%s came before with another payload; the first one stays".formatted(command));
  }

  /** Of their rows, and of those of what they undo. */
  private static Set<InboxRow.Id> ids(List<ResolvedCommand> arrived) {
    return arrived.stream()
        .flatMap(it -> Stream.concat(Stream.of(it.id()), it.undoneId().stream()))
        .collect(Collectors.toSet());
  }
}
