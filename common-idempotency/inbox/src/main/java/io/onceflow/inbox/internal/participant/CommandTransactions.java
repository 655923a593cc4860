package io.onceflow.inbox.internal.participant;

import io.onceflow.inbox.internal.DueSteps;
import io.onceflow.inbox.internal.InboxConflict;
import io.onceflow.inbox.internal.InboxRow;
import io.onceflow.inbox.internal.StepOutcome;
import io.onceflow.inbox.internal.call.CallExecutor.Result;
import io.onceflow.inbox.internal.call.CallNotPermitted;
import io.onceflow.inbox.internal.call.LaneReservations;
import io.onceflow.inbox.internal.call.LeaseRelease;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.parking.ParkedMessageSink;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.participant.Answer.Rejection;
import io.onceflow.participant.Answer.UnprocessableMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The three transactions of a participant: settle what arrived, take over what was left, conclude
 * what was called out for.
 *
 * @param <S> the business row
 */
public final class CommandTransactions<S> {

  private static final Logger LOG = Logger.getLogger(CommandTransactions.class);

  private final ParticipantDependencies<S> dependencies;

  /**
   * What {@link #recover} took over.
   *
   * @param count how many steps
   * @param scopes whose
   */
  public record Recovered<S>(int count, Set<String> scopes, List<PendingCall<S>> begun) {}

  CommandTransactions(ParticipantDependencies<S> dependencies) {
    this.dependencies = dependencies;
  }

  /**
   * Settles messages as they came; several of one saga in their order.
   *
   * @param parking for what cannot be handled
   */
  List<PendingCall<S>> settle(
      Transaction tx,
      List<Delivery> batch,
      LaneReservations reservations,
      ParkedMessageSink parking)
      throws SQLException {
    List<PendingCall<S>> begun = new ArrayList<>();
    List<ReceivedCommand<S>> left = read(tx, batch, parking);
    while (!left.isEmpty()) {
      List<ReceivedCommand<S>> round = firstOfEachSaga(left);
      begun.addAll(new CommandBatch<>(tx, dependencies, reservations, parking).settle(round));
      left = without(left, round);
    }
    return begun;
  }

  /** Takes over steps whose lease is over and decides about them anew. */
  public Recovered<S> recover(Transaction tx, DueSteps due) throws SQLException {
    List<InboxRow> taken =
        dependencies.inbox().takeOver(tx.connection(), due, dependencies.config().lease());
    List<LeasedCommand<S>> leased = new ArrayList<>();
    for (InboxRow row : taken) {
      String envelope = row.envelope();
      if (envelope == null) {
        throw new IllegalStateException("a started step has no envelope: " + row.id());
      }
      leased.add(dependencies.own(dependencies.reader().readStored(envelope), row));
    }
    tx.afterCommit(() -> dependencies.metrics().takenOver(taken.size()));
    Set<String> scopes = taken.stream().map(InboxRow::scope).collect(Collectors.toSet());
    return new Recovered<>(taken.size(), scopes, decideAgain(tx, leased));
  }

  /** The types of command of which steps may be due. */
  public Set<String> startedTypes(Transaction tx) throws SQLException {
    return dependencies.inbox().startedTypes(tx.connection());
  }

  /** Counts an attempt at steps that are due, and lets them rest; false when none is due. */
  public boolean putOff(Transaction tx, DueSteps due, Throwable failure) throws SQLException {
    Map<InboxRow, Duration> pauses = new LinkedHashMap<>();
    for (InboxRow row :
        dependencies.inbox().takeOver(tx.connection(), due, dependencies.config().lease())) {
      Duration pause = dependencies.backoff().afterFailure(row.attempts());
      pauses.put(row, pause);
      tx.afterCommit(dependencies.metrics()::failed);
      LOG.errorf(failure, "%s could not be taken up again; tried again in %s", row.id(), pause);
    }
    return !dependencies.inbox().postpone(tx.connection(), pauses).isEmpty();
  }

  /** Writes down what calls came to; a result whose token is gone is dropped, and says so. */
  public void conclude(Transaction tx, List<Result<S>> results) throws SQLException {
    Map<LeasedCommand<S>, Decision.Answer<S>> answered = new LinkedHashMap<>();
    Map<InboxRow, Duration> failed = new LinkedHashMap<>();
    for (Result<S> result : results) {
      Decision.Answer<S> answer = result.answer();
      if (answer != null) {
        answered.put(result.leased(), answer);
      } else if (result.failure() instanceof LeaseRelease step) {
        failed.put(step.isBegun() ? result.leased().row() : uncounted(result), Duration.ZERO);
      } else if (result.failure() instanceof CallNotPermitted) {
        notMade(result, failed);
      } else if (dependencies.expiryPolicy().wasLastAttempt(result.leased())) {
        answered.put(result.leased(), givenUp(tx, result.leased(), Rejection.UNAVAILABLE, result));
      } else {
        failed.put(result.leased().row(), pauseAfter(tx, result));
      }
    }
    dependencies.inbox().postpone(tx.connection(), failed);
    complete(tx, answered);
  }

  /** Of a step that is not wanted any more, or was tried too often, the answer is known. */
  private List<PendingCall<S>> decideAgain(Transaction tx, List<LeasedCommand<S>> taken)
      throws SQLException {
    Map<LeasedCommand<S>, Decision.Answer<S>> answered = new LinkedHashMap<>();
    List<LeasedCommand<S>> leased = new ArrayList<>();
    for (LeasedCommand<S> step : taken) {
      dependencies
          .expiryPolicy()
          .insteadOfAnAttempt(step)
          .ifPresentOrElse(
              why -> answered.put(step, givenUp(tx, step, why, null)), () -> leased.add(step));
    }
    return decideAgain(tx, leased, answered);
  }

  private List<PendingCall<S>> decideAgain(
      Transaction tx,
      List<LeasedCommand<S>> leased,
      Map<LeasedCommand<S>, Decision.Answer<S>> answered)
      throws SQLException {
    List<PendingCall<S>> begun = new ArrayList<>();
    Map<InboxRow, Duration> waiting = new LinkedHashMap<>();
    var decisions =
        dependencies
            .decider()
            .decide(tx.connection(), leased.stream().map(LeasedCommand::command).toList());
    for (int i = 0; i < leased.size(); i++) {
      LeasedCommand<S> step = leased.get(i);
      switch (decisions.get(i)) {
        case Decision.Answer<S> answer -> answered.put(step, answer);
        case Decision.CallOut<S> out -> begun.add(new PendingCall<>(step, out.call()));
        case Decision.WaitForAction<S> wait ->
            waiting.put(step.row(), dependencies.backoff().whileWaiting(step.row().attempts()));
      }
    }
    dependencies.inbox().postpone(tx.connection(), waiting);
    complete(tx, answered);
    return begun;
  }

  private void complete(Transaction tx, Map<LeasedCommand<S>, Decision.Answer<S>> answered)
      throws SQLException {
    Map<LeasedCommand<S>, StepOutcome> outcomes = new LinkedHashMap<>();
    Map<InboxRow, String> toStore = new LinkedHashMap<>();
    answered.forEach(
        (step, answer) -> {
          StepOutcome outcome = dependencies.outcome(answer);
          outcomes.put(step, outcome);
          toStore.put(step.row(), outcome.toStore(dependencies.json()));
        });
    Set<InboxRow.Id> completed = dependencies.inbox().complete(tx.connection(), toStore);
    answered.keySet().stream()
        .filter(step -> !completed.contains(step.row().id()))
        .forEach(step -> tx.afterCommit(() -> fencedOff(step)));
    outcomes.keySet().removeIf(step -> !completed.contains(step.row().id()));
    write(tx, answered, outcomes);
    tx.afterCommit(() -> dependencies.metrics().completed(completed.size()));
  }

  private void write(
      Transaction tx,
      Map<LeasedCommand<S>, Decision.Answer<S>> answered,
      Map<LeasedCommand<S>, StepOutcome> outcomes)
      throws SQLException {
    BatchWriter<S> decided = new BatchWriter<>(dependencies.rows(), dependencies.participant());
    List<InboxRow> tombstones = new ArrayList<>();
    outcomes.forEach(
        (step, outcome) -> {
          Decision.Answer<S> answer = answered.get(step);
          decided.add(step.command(), answer.rows(), outcome);
          if (answer.isTombstone()) {
            tombstones.add(step.command().tombstone());
          }
        });
    insertTombstones(tx.connection(), tombstones);
    decided.write(tx);
  }

  private void insertTombstones(Connection connection, List<InboxRow> tombstones)
      throws SQLException {
    if (dependencies.inbox().insert(connection, tombstones, Duration.ZERO).size()
        < tombstones.size()) {
      throw new InboxConflict("the action that a compensation found missing");
    }
  }

  private void fencedOff(LeasedCommand<S> step) {
    dependencies.metrics().fencedOff();
    step.command()
        .about()
        .run(
            () ->
                LOG.warnf(
                    "%s came back after its lease had ended (token %d); its successor's result"
                        + " stands",
                    step.command(), step.row().fencingToken()));
  }

  private Decision.Answer<S> givenUp(
      Transaction tx, LeasedCommand<S> step, Rejection why, @Nullable Result<S> lastAttempt) {
    tx.afterCommit(() -> tellGivenUp(step, why, lastAttempt));
    return step.command().notDone(why);
  }

  private void tellGivenUp(LeasedCommand<S> step, Rejection why, @Nullable Result<S> lastAttempt) {
    dependencies.metrics().givenUp();
    step.command()
        .about()
        .run(
            () ->
                LOG.warnf(
                    "%s is given up on after %d attempts, as %s%s",
                    step.command(),
                    step.row().attempts(),
                    why,
                    lastAttempt == null ? "" : ": " + lastAttempt.failure()));
  }

  /** No call was made, so no attempt is counted. */
  private void notMade(Result<S> result, Map<InboxRow, Duration> pauses) {
    Duration pause = dependencies.backoff().untilCalled();
    pauses.put(uncounted(result), pause);
    LOG.debugf(
        "%s was not tried (%s); taken up again in %s",
        result.leased().command(), result.failure(), pause);
  }

  private InboxRow uncounted(Result<S> result) {
    InboxRow row = result.leased().row();
    return row.withAttempts(row.attempts() - 1);
  }

  private Duration pauseAfter(Transaction tx, Result<S> result) {
    Duration pause = dependencies.backoff().afterFailure(result.leased().row().attempts());
    tx.afterCommit(() -> tellFailed(result, pause));
    return pause;
  }

  private void tellFailed(Result<S> result, Duration pause) {
    dependencies.metrics().failed();
    ResolvedCommand<?, S> command = result.leased().command();
    int attempts = result.leased().row().attempts();
    command
        .about()
        .run(
            () ->
                LOG.warnf(
                    "%s failed at attempt %d: %s; tried again in %s",
                    command, attempts, result.failure(), pause));
  }

  private List<ReceivedCommand<S>> read(
      Transaction tx, List<Delivery> batch, ParkedMessageSink parking) throws SQLException {
    List<ReceivedCommand<S>> readable = new ArrayList<>();
    for (Delivery delivery : batch) {
      try {
        readable.add(new ReceivedCommand<>(delivery, dependencies.reader().read(delivery)));
      } catch (UnprocessableMessage why) {
        parking.park(tx, delivery, why);
      }
    }
    return readable;
  }

  /** At most one command of a saga to a round, so that each sees what the one before it did. */
  private List<ReceivedCommand<S>> firstOfEachSaga(List<ReceivedCommand<S>> arrived) {
    Set<InboxRow.Id> sagas = new HashSet<>();
    return arrived.stream().filter(a -> sagas.add(a.saga())).toList();
  }

  private static <T> List<T> without(List<T> all, List<T> some) {
    List<T> rest = new ArrayList<>(all);
    rest.removeAll(some);
    return rest;
  }
}
