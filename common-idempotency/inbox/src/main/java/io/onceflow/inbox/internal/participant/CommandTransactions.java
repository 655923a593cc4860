package io.onceflow.inbox.internal.participant;

import io.onceflow.inbox.internal.DueSteps;
import io.onceflow.inbox.internal.InboxRow;
import io.onceflow.inbox.internal.call.CallLimits;
import io.onceflow.inbox.internal.call.CallNotPermitted;
import io.onceflow.inbox.internal.call.CallResult;
import io.onceflow.inbox.internal.call.LaneReservations;
import io.onceflow.inbox.internal.call.LeaseRelease;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.parking.ParkedMessageSink;
import io.onceflow.inbox.internal.participant.ParticipantMetrics.Outcome;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.participant.Answer;
import io.onceflow.participant.Answer.UnprocessableMessage;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/**
 * What a participant does in transactions: settle what arrived, conclude what was called out for,
 * take over what was left.
 */
public final class CommandTransactions {

  private static final Logger LOG = Logger.getLogger(CommandTransactions.class);

  /** A row that cannot be read does not mend itself; it is retried nevertheless. */
  private static final Duration SET_ASIDE_FOR = Duration.ofMinutes(15);

  private final ParticipantDependencies dependencies;

  /**
   * What {@link #recover} took over.
   *
   * @param count how many steps
   * @param scopes whose
   */
  public record Recovered(int count, Set<String> scopes, List<PendingCall> begun) {}

  CommandTransactions(ParticipantDependencies dependencies) {
    this.dependencies = dependencies;
  }

  /**
   * Settles messages as they came; several of one saga in their order.
   *
   * @param parking for what cannot be handled
   */
  List<PendingCall> settle(
      Transaction tx,
      List<Delivery> batch,
      LaneReservations reservations,
      ParkedMessageSink parking)
      throws SQLException {
    List<ResolvedCommand> arrived = read(tx, batch, parking);
    Map<String, Integer> turns = dependencies.limits().take(tx.connection(), arrived);
    reservations.limit(turns);
    List<PendingCall> begun = new ArrayList<>();
    for (List<ResolvedCommand> round :
        rounds(arrived, ResolvedCommand::saga, ResolvedCommand::subjectOrSaga)) {
      begun.addAll(new CommandBatch(tx, dependencies, reservations, parking).settle(round));
    }
    dependencies.limits().giveBack(tx.connection(), turns, begun);
    return begun;
  }

  /** Takes over steps whose lease is over and decides about them again. */
  public Recovered recover(Transaction tx, DueSteps due) throws SQLException {
    return recover(
        tx, dependencies.inbox().takeOver(tx.connection(), due, dependencies.config().lease()));
  }

  /** The same of one step, if it is due. */
  public Recovered recover(Transaction tx, InboxRow.Id id) throws SQLException {
    return recover(
        tx, dependencies.inbox().takeOver(tx.connection(), id, dependencies.config().lease()));
  }

  private Recovered recover(Transaction tx, List<InboxRow> taken) throws SQLException {
    List<LeasedCommand> leased = new ArrayList<>();
    for (InboxRow row : taken) {
      String envelope = row.envelope();
      if (envelope == null) {
        throw new IllegalStateException("a started step has no envelope: " + row.id());
      }
      leased.add(dependencies.own(dependencies.reader().readStored(envelope), row));
    }
    dependencies.metrics().count(tx, Outcome.TAKEN_OVER, taken.size());
    Set<String> scopes = taken.stream().map(InboxRow::scope).collect(Collectors.toSet());
    return new Recovered(taken.size(), scopes, decideAgain(tx, leased));
  }

  /** How many calls may begin at most so often. */
  public CallLimits limits() {
    return dependencies.limits();
  }

  /** The types of command of which steps may be due. */
  public Set<String> startedTypes(Transaction tx) throws SQLException {
    return dependencies.inbox().startedTypes(tx.connection());
  }

  /** The steps that are due, one by one. */
  public List<InboxRow.Id> due(Transaction tx, DueSteps due) throws SQLException {
    return dependencies.inbox().due(tx.connection(), due);
  }

  /** Counts an attempt at a step that is due, and lets it rest. */
  public void putOff(Transaction tx, InboxRow.Id id, Throwable failure) throws SQLException {
    Map<InboxRow, Duration> pauses = new LinkedHashMap<>();
    for (InboxRow row :
        dependencies.inbox().takeOver(tx.connection(), id, dependencies.config().lease())) {
      Duration pause = dependencies.backoff().afterFailure(row.attempts());
      pauses.put(row, pause);
      dependencies.metrics().count(tx, Outcome.CALL_FAILED);
      LOG.errorf(failure, "%s could not be resumed; retried in %s", id, pause);
    }
    dependencies.inbox().postpone(tx.connection(), pauses);
  }

  /** Lets a step rest whose row cannot be read or counted, so that it holds up no other. */
  public void setAside(Transaction tx, InboxRow.Id id, Throwable failure) throws SQLException {
    if (dependencies.inbox().setAside(tx.connection(), id, SET_ASIDE_FOR)) {
      dependencies.metrics().count(tx, Outcome.CALL_FAILED);
      LOG.errorf(
          failure,
          "the row of step %s in inbox_message cannot be taken over and is set aside for %s; repair"
              + " the row, its saga waits for it",
          id,
          SET_ASIDE_FOR);
    }
  }

  /** Writes down what calls came to; a result whose token is gone is dropped, and says so. */
  void conclude(Transaction tx, List<CallResult> results) throws SQLException {
    if (results.isEmpty()) {
      return;
    }
    LeasedResults concluded = new LeasedResults(tx, dependencies);
    Set<InboxRow.Id> overtaken =
        dependencies.decider().overtaken(tx.connection(), overwriting(results));
    Map<InboxRow.Id, Long> newest = newestTokens(results);
    for (CallResult result : results) {
      InboxRow row = result.leased().row();
      if (row.fencingToken() < newest.get(row.id())) {
        concluded.fencedOff(result.leased());
        continue;
      }
      switch (result.answer()) {
        case Answer late when overtaken.contains(result.leased().row().id()) ->
            concluded.failed(result.leased(), new RowChanged());
        case Answer.Reply reply -> concluded.answered(result.leased(), reply);
        case Answer.Pending pending -> concluded.pending(result.leased(), pending);
        case Answer.Call call -> throw new IllegalStateException(call + " has not been made");
        case null -> unanswered(concluded, result);
      }
    }
    concluded.write();
  }

  /** A result that comes late may be in one batch with that of the process that took over. */
  private static Map<InboxRow.Id, Long> newestTokens(List<CallResult> results) {
    return results.stream()
        .map(result -> result.leased().row())
        .collect(Collectors.toMap(InboxRow::id, InboxRow::fencingToken, Math::max));
  }

  private static List<PendingCall> overwriting(List<CallResult> results) {
    return results.stream()
        .filter(CallResult::hasRows)
        .map(CallResult::call)
        .filter(call -> !call.seen().isEmpty())
        .toList();
  }

  private void unanswered(LeasedResults concluded, CallResult result) {
    LeasedCommand step = result.leased();
    switch (result.failure()) {
      case LeaseRelease why when why.isBegun() -> concluded.postponed(step, Duration.ZERO);
      case LeaseRelease why -> concluded.notCalled(step, Duration.ZERO);
      case CallNotPermitted why -> concluded.notCalled(step, untilCalled(result));
      case null, default -> concluded.failed(step, result.failure());
    }
  }

  /** Stores the message of a step whose result cannot be written, for when its lease ends. */
  void store(Transaction tx, LeasedCommand step) throws SQLException {
    InboxRow row = step.row();
    String message = dependencies.reader().store(step.command().message());
    dependencies.inbox().store(tx.connection(), Map.of(row, message));
  }

  private Duration untilCalled(CallResult result) {
    Duration pause = dependencies.backoff().untilCalled();
    LOG.debugf(
        "%s was not called (%s); resumed in %s",
        result.leased().command(), result.failure(), pause);
    return pause;
  }

  /** Of a step that is not wanted any more, or was tried too often, the answer is known. */
  private List<PendingCall> decideAgain(Transaction tx, List<LeasedCommand> taken)
      throws SQLException {
    LeasedResults concluded = new LeasedResults(tx, dependencies);
    List<LeasedCommand> leased = new ArrayList<>();
    for (LeasedCommand step : taken) {
      dependencies
          .expiryPolicy()
          .insteadOfAnAttempt(step)
          .ifPresentOrElse(why -> concluded.givenUp(step, why, null), () -> leased.add(step));
    }
    concluded.write();
    List<PendingCall> begun = new ArrayList<>();
    for (List<LeasedCommand> round :
        rounds(leased, one -> one.command().saga(), one -> one.command().subject())) {
      LeasedResults decided = new LeasedResults(tx, dependencies);
      begun.addAll(decideAgain(tx, round, decided));
      decided.write();
    }
    return begun;
  }

  private List<PendingCall> decideAgain(
      Transaction tx, List<LeasedCommand> leased, LeasedResults concluded) throws SQLException {
    List<PendingCall> begun = new ArrayList<>();
    var decisions =
        dependencies
            .decider()
            .decide(tx.connection(), leased.stream().map(LeasedCommand::command).toList());
    for (int i = 0; i < leased.size(); i++) {
      LeasedCommand step = leased.get(i);
      Decision decision = decisions.get(i);
      switch (decision.answer()) {
        case Answer.Reply reply when decision.isTombstone() -> concluded.neverBegan(step, reply);
        case Answer.Reply reply -> concluded.answered(step, reply);
        case Answer.Pending pending -> concluded.pending(step, pending);
        case Answer.Call call -> begun.add(new PendingCall(step, call, decision.seen()));
        case null ->
            concluded.postponed(step, dependencies.backoff().whileWaiting(step.row().attempts()));
      }
    }
    return begun;
  }

  private List<ResolvedCommand> read(
      Transaction tx, List<Delivery> batch, ParkedMessageSink parking) throws SQLException {
    List<ResolvedCommand> readable = new ArrayList<>();
    for (Delivery delivery : batch) {
      try {
        readable.add(dependencies.reader().read(delivery));
      } catch (UnprocessableMessage why) {
        parking.park(tx, delivery, why);
      }
    }
    return readable;
  }

  /**
   * At most one command of a saga, and one of a subject, to a round, in their order: each sees what
   * the one before it did, and none overwrites it.
   */
  private static <T> List<List<T>> rounds(
      List<T> commands, Function<T, Object> sagaOf, Function<T, Object> subjectOf) {
    Map<Object, Integer> next = new HashMap<>();
    List<List<T>> rounds = new ArrayList<>();
    for (T one : commands) {
      Object saga = sagaOf.apply(one);
      Object subject = subjectOf.apply(one);
      int round = Math.max(next.getOrDefault(saga, 0), next.getOrDefault(subject, 0));
      next.put(saga, round + 1);
      next.put(subject, round + 1);
      if (round == rounds.size()) {
        rounds.add(new ArrayList<>());
      }
      rounds.get(round).add(one);
    }
    return rounds;
  }

  /** What a handler would write is of a row that is no longer there. */
  private static final class RowChanged extends Exception {

    private static final long serialVersionUID = 1L;

    private RowChanged() {
      super("another step changed its row during the call; the handler sees that and calls again");
    }
  }
}
