package io.onceflow.inbox;

import io.onceflow.outbox.Transaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/**
 * Settles commands of different sagas in one go. Inbox rows are written first: they are the claim,
 * and when one of them was written by somebody else meanwhile, nothing of this round may stand.
 *
 * @param <S> the business row
 */
final class CommandBatch<S> {

  private static final Logger LOG = Logger.getLogger(CommandBatch.class);

  private final Transaction tx;
  private final ParticipantDependencies<S> tools;
  private final Places places;
  private final BatchWriter<S> decided;
  private final List<InboxRow> claims = new ArrayList<>();
  private final Map<InboxRow, Duration> waiting = new LinkedHashMap<>();
  private final List<PendingCall<S>> begun = new ArrayList<>();

  CommandBatch(Transaction tx, ParticipantDependencies<S> tools, Places places) {
    this.tx = tx;
    this.tools = tools;
    this.places = places;
    this.decided = new BatchWriter<>(tools.rows(), tools.participant());
  }

  /** Settles all; returns the steps to call out for once the transaction has committed. */
  List<PendingCall<S>> settle(List<ReceivedCommand<S>> arrived) throws SQLException {
    Map<InboxRow.Id, InboxRow> known = tools.inbox().find(tx.connection(), ids(arrived));
    List<Command<?, S>> fresh = new ArrayList<>();
    for (ReceivedCommand<S> one : arrived) {
      InboxRow row = known.get(one.command().id());
      if (row == null) {
        fresh.add(one.command());
      } else {
        repeated(one, row);
      }
    }
    decide(fresh);
    claim();
    decided.write(tx);
    return begun;
  }

  /** A command that has expired is not begun: its answer stands in its place (rule 11). */
  private void decide(List<Command<?, S>> fresh) throws SQLException {
    Instant now = tools.deciding().clock().instant();
    List<Command<?, S>> wanted = new ArrayList<>();
    for (Command<?, S> command : fresh) {
      if (command.isExpired(now)) {
        answer(command, command.notDone(NotDone.EXPIRED));
      } else {
        wanted.add(command);
      }
    }
    decideWanted(wanted);
  }

  private void decideWanted(List<Command<?, S>> wanted) throws SQLException {
    List<Decision<S>> decisions = tools.deciding().decide(tx.connection(), wanted);
    for (int i = 0; i < wanted.size(); i++) {
      Command<?, S> command = wanted.get(i);
      switch (decisions.get(i)) {
        case Decision.Answer<S> answer -> answer(command, answer);
        case Decision.CallOut<S> out -> callOut(start(command), out.call());
        case Decision.WaitFor<S> wait ->
            waiting.put(start(command).row(), tools.backoff().whileWaiting(1));
      }
    }
  }

  /** A step that finds no place in its lane is due at once, and no attempt at it is counted. */
  private void callOut(LeasedCommand<S> step, Decision.ScopedCall<S> call) {
    if (places.take(step.command())) {
      begun.add(new PendingCall<>(step, call));
    } else {
      waiting.put(step.row().withAttempts(0), Duration.ZERO);
      tx.afterCommit(tools.metrics()::deferred);
    }
  }

  private void answer(Command<?, S> command, Decision.Answer<S> answer) {
    Outcome outcome = tools.outcome(answer);
    claims.add(
        InboxRow.completed(
            command.id(), command.message().fingerprint(), outcome.toStore(tools.json())));
    if (answer.tombstone() != null) {
      claims.add(command.tombstone());
    }
    decided.add(command, answer.rows(), outcome);
    tx.afterCommit(() -> tools.metrics().completed(1));
  }

  private LeasedCommand<S> start(Command<?, S> command) {
    InboxRow row =
        InboxRow.started(
            command.id(), command.message().fingerprint(), tools.reader().store(command.message()));
    claims.add(row);
    return tools.own(command, row);
  }

  private void claim() throws SQLException {
    Connection connection = tx.connection();
    Set<InboxRow.Id> claimed = tools.inbox().insert(connection, claims, tools.config().lease());
    for (InboxRow row : claims) {
      if (!claimed.contains(row.id())) {
        throw new LostRace(row.id().toString());
      }
    }
    tools.inbox().postpone(connection, waiting);
  }

  private void repeated(ReceivedCommand<S> one, InboxRow row) throws SQLException {
    tx.afterCommit(tools.metrics()::repeated);
    Command<?, S> command = one.command();
    switch (row.status()) {
      case TOMBSTONE -> decided.reply(command, tools.outcome(command.notDone(NotDone.CANCELLED)));
      case STARTED, COMPLETED -> {
        if (!command.message().fingerprint().equals(row.fingerprint())) {
          tools.parking().park(tx, one.delivery(), mismatch(command));
        } else if (row.status() == InboxRow.Status.COMPLETED) {
          decided.reply(command, Outcome.stored(String.valueOf(row.outcome()), tools.json()));
        } else {
          LOG.debugf("%s is under way already; its owner answers", command);
        }
      }
    }
  }

  private static CannotHandle mismatch(Command<?, ?> command) {
    return new CannotHandle(
        ParkingReason.FINGERPRINT_MISMATCH,
        "%s came before with another payload; the first one stands".formatted(command));
  }

  private static <S> Set<InboxRow.Id> ids(List<ReceivedCommand<S>> arrived) {
    return arrived.stream().map(one -> one.command().id()).collect(Collectors.toSet());
  }
}
