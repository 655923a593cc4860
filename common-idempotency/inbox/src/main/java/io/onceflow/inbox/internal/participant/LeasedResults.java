package io.onceflow.inbox.internal.participant;

import io.onceflow.inbox.internal.InboxConflict;
import io.onceflow.inbox.internal.InboxRow;
import io.onceflow.inbox.internal.StepOutcome;
import io.onceflow.inbox.internal.participant.ParticipantMetrics.Outcome;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.participant.Answer;
import io.onceflow.participant.Answer.Rejection;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * What leased steps came to, gathered in one transaction to be written together, each only under
 * its fencing token: a result whose token is gone is dropped, and says so.
 */
final class LeasedResults {

  private static final Logger LOG = Logger.getLogger(LeasedResults.class);

  private final Transaction tx;
  private final ParticipantDependencies dependencies;
  private final BatchWriter decided;
  private final List<Answered> answered = new ArrayList<>();
  private final Map<LeasedCommand, Answer.Pending> pending = new LinkedHashMap<>();
  private final Map<InboxRow, Duration> postponed = new LinkedHashMap<>();

  private record Answered(
      LeasedCommand step, StepOutcome outcome, List<Object> rows, boolean isTombstone) {}

  LeasedResults(Transaction tx, ParticipantDependencies dependencies) {
    this.tx = tx;
    this.dependencies = dependencies;
    this.decided = new BatchWriter(dependencies.rows(), dependencies.participant());
  }

  void answered(LeasedCommand step, Answer.Reply reply) {
    add(step, reply, false);
  }

  /** A compensation whose action never started, and never must. */
  void neverBegan(LeasedCommand step, Answer.Reply reply) {
    add(step, reply, true);
  }

  private void add(LeasedCommand step, Answer.Reply reply, boolean isTombstone) {
    answered.add(new Answered(step, dependencies.outcome(reply), reply.rows(), isTombstone));
  }

  /** A step that its saga does not wait for counts as failed: its result is not known yet. */
  void pending(LeasedCommand step, Answer.Pending answer) {
    if (step.command().mayBePending()) {
      pending.put(step, answer);
    } else {
      failed(step, new PendingNotAwaited());
    }
  }

  /** Its message waits here from now on. */
  void postponed(LeasedCommand step, Duration pause) {
    postponed.put(dependencies.stored(step), pause);
  }

  /** The same of a step for which no call was made, so no attempt is counted. */
  void notCalled(LeasedCommand step, Duration pause) {
    postponed.put(dependencies.stored(step).withAttempts(step.row().attempts() - 1), pause);
  }

  /** Retries after a pause; after the last attempt, the result is answered as unknown. */
  void failed(LeasedCommand step, @Nullable Exception failure) {
    if (dependencies.expiryPolicy().wasLastAttempt(step)) {
      givenUp(step, Rejection.UNAVAILABLE, failure);
    } else {
      Duration pause = dependencies.backoff().afterFailure(step.row().attempts());
      warn(
          step,
          Outcome.CALL_FAILED,
          "%s failed at attempt %s: %s; tried again in %s",
          step.command(),
          step.row().attempts(),
          failure,
          pause);
      postponed(step, pause);
    }
  }

  /**
   * @param failure of the last attempt; null where none was made
   */
  void givenUp(LeasedCommand step, Rejection why, @Nullable Exception failure) {
    warn(
        step,
        Outcome.GIVEN_UP,
        "%s times out after %s attempts, as %s%s",
        step.command(),
        step.row().attempts(),
        why,
        failure == null ? "" : ": " + failure);
    answered(step, step.command().notDone(why));
  }

  void write() throws SQLException {
    dependencies.inbox().postpone(tx.connection(), postponed);
    rest();
    complete();
    decided.write(tx);
  }

  /** The saga is told once; a command that comes again is told again. */
  private void rest() throws SQLException {
    Map<InboxRow, Duration> pauses = new LinkedHashMap<>();
    pending.forEach(
        (step, answer) ->
            pauses.put(
                dependencies.stored(step),
                dependencies.expiryPolicy().rest(answer.lookAgainAfter())));
    Set<InboxRow.Id> resting = dependencies.inbox().rest(tx.connection(), pauses);
    pending.forEach(
        (step, answer) -> {
          if (!resting.contains(step.row().id())) {
            fencedOff(step);
          } else if (step.row().isPending()) {
            decided.save(answer.rows());
          } else {
            decided.add(step.command(), answer.rows(), StepOutcome.PENDING);
            dependencies.metrics().count(tx, Outcome.PENDING);
          }
        });
  }

  private void complete() throws SQLException {
    Map<InboxRow, String> outcomes = new LinkedHashMap<>();
    for (Answered one : answered) {
      outcomes.put(one.step().row(), one.outcome().toStore(dependencies.json()));
    }
    Set<InboxRow.Id> completed = dependencies.inbox().complete(tx.connection(), outcomes);
    List<InboxRow> tombstones = new ArrayList<>();
    for (Answered one : answered) {
      LeasedCommand step = one.step();
      if (!completed.contains(step.row().id())) {
        fencedOff(step);
        continue;
      }
      decided.add(step.command(), one.rows(), one.outcome());
      if (one.isTombstone()) {
        tombstones.add(step.command().tombstone());
      }
    }
    insertTombstones(tx.connection(), tombstones);
    dependencies.metrics().count(tx, Outcome.COMPLETED, completed.size());
  }

  private void insertTombstones(Connection connection, List<InboxRow> tombstones)
      throws SQLException {
    if (dependencies.inbox().insert(connection, tombstones, Duration.ZERO).size()
        < tombstones.size()) {
      throw new InboxConflict("the action that a compensation found missing");
    }
  }

  void fencedOff(LeasedCommand step) {
    warn(
        step,
        Outcome.FENCED_OFF,
        "%s completed after its lease had ended (token %s); its successor's result stays",
        step.command(),
        step.row().fencingToken());
  }

  /** After the commit. */
  private void warn(
      LeasedCommand step, Outcome outcome, String format, @Nullable Object... values) {
    dependencies.metrics().count(tx, outcome);
    tx.afterCommit(() -> step.command().about().run(() -> LOG.warnf(format, values)));
  }

  /** A handler answered that its step is pending, and the saga does not wait for it. */
  private static final class PendingNotAwaited extends Exception {

    private static final long serialVersionUID = 1L;

    private PendingNotAwaited() {
      super(
          "the result is not known yet, and the saga's definition does not let the step wait;"
              + " give it an await");
    }
  }
}
