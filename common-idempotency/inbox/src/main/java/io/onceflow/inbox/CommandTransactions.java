package io.onceflow.inbox;

import io.onceflow.inbox.CallOuts.Result;
import io.onceflow.outbox.Transaction;
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
final class CommandTransactions<S> {

  private static final Logger LOG = Logger.getLogger(CommandTransactions.class);

  private final ParticipantDependencies<S> tools;

  /**
   * What {@link #recover} took over.
   *
   * @param count how many steps
   * @param scopes whose
   */
  record Recovered<S>(int count, Set<String> scopes, List<PendingCall<S>> begun) {}

  CommandTransactions(ParticipantDependencies<S> tools) {
    this.tools = tools;
  }

  /** Settles messages as they came; several of one saga in their order. */
  List<PendingCall<S>> settle(Transaction tx, List<Delivery> batch, Places places)
      throws SQLException {
    List<PendingCall<S>> begun = new ArrayList<>();
    List<ReceivedCommand<S>> left = read(tx, batch);
    while (!left.isEmpty()) {
      List<ReceivedCommand<S>> round = firstOfEachSaga(left);
      begun.addAll(new CommandBatch<>(tx, tools, places).settle(round));
      left = without(left, round);
    }
    return begun;
  }

  /** Takes over steps whose lease is over and decides about them anew. */
  Recovered<S> recover(Transaction tx, DueSteps due) throws SQLException {
    List<InboxRow> taken = tools.inbox().takeOver(tx.connection(), due, tools.config().lease());
    List<LeasedCommand<S>> owned = new ArrayList<>();
    for (InboxRow row : taken) {
      String envelope = row.envelope();
      if (envelope == null) {
        throw new IllegalStateException("a started step has no envelope: " + row.id());
      }
      owned.add(tools.own(tools.reader().readStored(envelope), row));
    }
    tx.afterCommit(() -> tools.metrics().takenOver(taken.size()));
    Set<String> scopes = taken.stream().map(InboxRow::scope).collect(Collectors.toSet());
    return new Recovered<>(taken.size(), scopes, decideAgain(tx, owned));
  }

  /** The types of command of which steps are started. */
  Set<String> startedTypes(Transaction tx) throws SQLException {
    return tools.inbox().startedTypes(tx.connection());
  }

  /** Counts an attempt at steps that are due, and lets them rest; false when none is due. */
  boolean putOff(Transaction tx, DueSteps due, Throwable failure) throws SQLException {
    Map<InboxRow, Duration> pauses = new LinkedHashMap<>();
    for (InboxRow row : tools.inbox().takeOver(tx.connection(), due, tools.config().lease())) {
      Duration pause = tools.backoff().afterFailure(row.attempts());
      pauses.put(row, pause);
      tx.afterCommit(tools.metrics()::failed);
      LOG.errorf(failure, "%s could not be taken up again; tried again in %s", row.id(), pause);
    }
    return !tools.inbox().postpone(tx.connection(), pauses).isEmpty();
  }

  /** Writes down what calls came to; a result whose token is gone is dropped, and says so. */
  void conclude(Transaction tx, List<Result<S>> results) throws SQLException {
    Map<LeasedCommand<S>, Decision.Answer<S>> answered = new LinkedHashMap<>();
    Map<InboxRow, Duration> failed = new LinkedHashMap<>();
    for (Result<S> result : results) {
      Decision.Answer<S> answer = result.answer();
      if (answer != null) {
        answered.put(result.owned(), answer);
      } else if (result.failure() instanceof HandedOver step) {
        failed.put(step.isBegun() ? result.owned().row() : uncounted(result), Duration.ZERO);
      } else if (result.failure() instanceof CallNotMade) {
        notMade(result, failed);
      } else if (tools.givingUp().wasLastAttempt(result.owned())) {
        answered.put(result.owned(), givenUp(tx, result.owned(), NotDone.UNAVAILABLE, result));
      } else {
        failed.put(result.owned().row(), pauseAfter(tx, result));
      }
    }
    tools.inbox().postpone(tx.connection(), failed);
    complete(tx, answered);
  }

  /** Of a step that is not wanted any more, or was tried too often, the answer is known. */
  private List<PendingCall<S>> decideAgain(Transaction tx, List<LeasedCommand<S>> taken)
      throws SQLException {
    Map<LeasedCommand<S>, Decision.Answer<S>> answered = new LinkedHashMap<>();
    List<LeasedCommand<S>> owned = new ArrayList<>();
    for (LeasedCommand<S> step : taken) {
      tools
          .givingUp()
          .insteadOfAnAttempt(step)
          .ifPresentOrElse(
              why -> answered.put(step, givenUp(tx, step, why, null)), () -> owned.add(step));
    }
    return decideAgain(tx, owned, answered);
  }

  private List<PendingCall<S>> decideAgain(
      Transaction tx,
      List<LeasedCommand<S>> owned,
      Map<LeasedCommand<S>, Decision.Answer<S>> answered)
      throws SQLException {
    List<PendingCall<S>> begun = new ArrayList<>();
    Map<InboxRow, Duration> waiting = new LinkedHashMap<>();
    var decisions =
        tools
            .deciding()
            .decide(tx.connection(), owned.stream().map(LeasedCommand::command).toList());
    for (int i = 0; i < owned.size(); i++) {
      LeasedCommand<S> step = owned.get(i);
      switch (decisions.get(i)) {
        case Decision.Answer<S> answer -> answered.put(step, answer);
        case Decision.CallOut<S> out -> begun.add(new PendingCall<>(step, out.call()));
        case Decision.WaitFor<S> wait ->
            waiting.put(step.row(), tools.backoff().whileWaiting(step.row().attempts()));
      }
    }
    tools.inbox().postpone(tx.connection(), waiting);
    complete(tx, answered);
    return begun;
  }

  private void complete(Transaction tx, Map<LeasedCommand<S>, Decision.Answer<S>> answered)
      throws SQLException {
    Map<LeasedCommand<S>, Outcome> outcomes = new LinkedHashMap<>();
    Map<InboxRow, String> toStore = new LinkedHashMap<>();
    answered.forEach(
        (step, answer) -> {
          Outcome outcome = tools.outcome(answer);
          outcomes.put(step, outcome);
          toStore.put(step.row(), outcome.toStore(tools.json()));
        });
    Set<InboxRow.Id> completed = tools.inbox().complete(tx.connection(), toStore);
    answered.keySet().stream()
        .filter(step -> !completed.contains(step.row().id()))
        .forEach(step -> tx.afterCommit(() -> fencedOff(step)));
    outcomes.keySet().removeIf(step -> !completed.contains(step.row().id()));
    write(tx, answered, outcomes);
    tx.afterCommit(() -> tools.metrics().completed(completed.size()));
  }

  private void write(
      Transaction tx,
      Map<LeasedCommand<S>, Decision.Answer<S>> answered,
      Map<LeasedCommand<S>, Outcome> outcomes)
      throws SQLException {
    BatchWriter<S> decided = new BatchWriter<>(tools.rows(), tools.participant());
    List<InboxRow> tombstones = new ArrayList<>();
    outcomes.forEach(
        (step, outcome) -> {
          Decision.Answer<S> answer = answered.get(step);
          decided.add(step.command(), answer.rows(), outcome);
          if (answer.tombstone() != null) {
            tombstones.add(step.command().tombstone());
          }
        });
    insertTombstones(tx.connection(), tombstones);
    decided.write(tx);
  }

  private void insertTombstones(Connection connection, List<InboxRow> tombstones)
      throws SQLException {
    if (tools.inbox().insert(connection, tombstones, tools.config().lease()).size()
        < tombstones.size()) {
      throw new LostRace("the action that a compensation found missing");
    }
  }

  private void fencedOff(LeasedCommand<S> step) {
    tools.metrics().fencedOff();
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
      Transaction tx, LeasedCommand<S> step, NotDone why, @Nullable Result<S> lastAttempt) {
    tx.afterCommit(() -> tellGivenUp(step, why, lastAttempt));
    return step.command().notDone(why);
  }

  private void tellGivenUp(LeasedCommand<S> step, NotDone why, @Nullable Result<S> lastAttempt) {
    tools.metrics().givenUp();
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

  /** Nothing was asked of anybody, so nothing is counted. */
  private void notMade(Result<S> result, Map<InboxRow, Duration> pauses) {
    Duration pause = tools.backoff().untilCalled();
    pauses.put(uncounted(result), pause);
    LOG.debugf(
        "%s was not tried (%s); taken up again in %s",
        result.owned().command(), result.failure(), pause);
  }

  private InboxRow uncounted(Result<S> result) {
    InboxRow row = result.owned().row();
    return row.withAttempts(row.attempts() - 1);
  }

  private Duration pauseAfter(Transaction tx, Result<S> result) {
    Duration pause = tools.backoff().afterFailure(result.owned().row().attempts());
    tx.afterCommit(() -> tellFailed(result, pause));
    return pause;
  }

  private void tellFailed(Result<S> result, Duration pause) {
    tools.metrics().failed();
    Command<?, S> command = result.owned().command();
    int attempts = result.owned().row().attempts();
    command
        .about()
        .run(
            () ->
                LOG.warnf(
                    "%s failed at attempt %d: %s; tried again in %s",
                    command, attempts, result.failure(), pause));
  }

  private List<ReceivedCommand<S>> read(Transaction tx, List<Delivery> batch) throws SQLException {
    List<ReceivedCommand<S>> readable = new ArrayList<>();
    for (Delivery delivery : batch) {
      try {
        readable.add(new ReceivedCommand<>(delivery, tools.reader().read(delivery)));
      } catch (CannotHandle why) {
        tools.parking().park(tx, delivery, why);
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
