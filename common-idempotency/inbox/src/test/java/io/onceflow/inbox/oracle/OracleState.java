package io.onceflow.inbox.oracle;

import io.onceflow.participant.Answer.ReplyOutcome;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * A state of the specification. It is not changed once {@link ParticipantOracle} has returned it.
 */
final class OracleState {

  final Map<Step, Integer> queue = new EnumMap<>(Step.class);
  final Map<Replica, Work> work = new EnumMap<>(Replica.class);
  final Map<Step, StepRow> rows = new EnumMap<>(Step.class);

  /** Calls that the gateway has not carried out, and the results of those that it has. */
  final Set<Step> calls = EnumSet.noneOf(Step.class);

  final Map<Step, ReplyOutcome> seen = new EnumMap<>(Step.class);

  /** Replies in the order of their commits. */
  final List<String> replies = new ArrayList<>();

  Books books = Books.NONE;

  /** Whether the books have a row: a refund of a charge that left none leaves none either. */
  boolean hasRow;

  int charges;
  int refunds;
  boolean isVoid;
  boolean isCancelled;
  boolean isLate;

  /** The participant's own row about the payment. */
  enum Books {
    NONE("NONE"),
    PAID("CHARGED"),
    REPAID("REFUNDED");

    private final String status;

    Books(String status) {
      this.status = status;
    }
  }

  /** What a replica is doing; one that does nothing has none. */
  enum At {
    LOOK,
    CALL,
    ACK
  }

  /**
   * What a replica is doing.
   *
   * @param token under which it owns the step; 0 if it does not
   * @param isHeld whether the broker keeps the message for it
   */
  record Work(At at, Step step, int token, boolean isHeld) {}

  OracleState copy() {
    OracleState copy = new OracleState();
    copy.queue.putAll(queue);
    copy.work.putAll(work);
    copy.rows.putAll(rows);
    copy.calls.addAll(calls);
    copy.seen.putAll(seen);
    copy.replies.addAll(replies);
    copy.books = books;
    copy.hasRow = hasRow;
    copy.charges = charges;
    copy.refunds = refunds;
    copy.isVoid = isVoid;
    copy.isCancelled = isCancelled;
    copy.isLate = isLate;
    return copy;
  }

  /** Messages of a step, in its queue and in the hands of replicas. */
  int copies(Step step) {
    long held = work.values().stream().filter(it -> it.step() == step && it.isHeld()).count();
    return queue.getOrDefault(step, 0) + (int) held;
  }

  boolean isIdle(Replica replica) {
    return !work.containsKey(replica);
  }

  boolean isAt(At at, Replica replica) {
    Work its = work.get(replica);
    return its != null && its.at() == at;
  }

  /** What is in the tables, as {@code participant-paths.txt} tells it. */
  String tables() {
    StringBuilder tables = new StringBuilder();
    rows.forEach((step, row) -> tables.append(step).append(": ").append(row).append("; "));
    return "%sbooks %s; replies %s"
        .formatted(
            tables,
            books.name().toLowerCase(Locale.ROOT),
            replies.stream().distinct().sorted().toList());
  }

  /** All that can be seen of it from without, as {@link RealParticipants#visible} tells it. */
  List<String> visible() {
    List<String> lines = new ArrayList<>();
    rows.forEach((step, row) -> lines.add(step + ": " + row));
    lines.add("books: " + (hasRow ? books : Books.NONE).status);
    lines.add("replies: " + replies);
    work.forEach(
        (replica, its) -> {
          if (its.at() == At.CALL) {
            lines.add(
                "%s calls for the %s under token %s%s"
                    .formatted(
                        replica, its.step(), its.token(), its.isHeld() ? ", message held" : ""));
          }
        });
    lines.add("gateway: %s charges, %s refunds".formatted(charges, refunds));
    return lines;
  }
}
