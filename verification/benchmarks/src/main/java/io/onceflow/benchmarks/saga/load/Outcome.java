package io.onceflow.benchmarks.saga.load;

import java.util.ArrayList;
import java.util.List;

/**
 * The outcome of the orders of one run, counted from the rows of three databases.
 *
 * @param orders that there are
 * @param confirmed of them
 * @param payments processed and not refunded, for all of them
 * @param shipments arranged, for all of them
 * @param cancelled of them
 * @param refunds made, for all of them
 * @param waiting all messages that wait in the three outboxes
 * @param lastMicros when the last of them was confirmed, in microseconds since the epoch
 */
public record Outcome(
    long orders,
    long confirmed,
    long payments,
    long shipments,
    long cancelled,
    long refunds,
    long waiting,
    long lastMicros) {

  /**
   * What must not be, in words; empty when all was right.
   *
   * @param run what was run
   * @param refused how many of the orders had to be refused and compensated
   */
  public List<String> faults(String run, Answers answers, long refused) {
    List<String> faults = new ArrayList<>();
    if (answers.wrong() > 0) {
      faults.add(
          "%s: %d wrong answers, such as %s".formatted(run, answers.wrong(), answers.examples()));
    }
    // A request without an answer may have placed its order, or not.
    boolean isPlaced = orders >= answers.right() && orders <= answers.right() + answers.wrong();
    boolean areConfirmed =
        confirmed == orders - refused && payments == confirmed && shipments == confirmed;
    boolean areCompensated = cancelled == refused && refunds == refused;
    if (!isPlaced || !areConfirmed || !areCompensated) {
      faults.add(
          "%s: %d orders were answered; there are %d, of which %d are confirmed, with %d payments and %d shipments; %d of %d that had to be are cancelled, with %d refunds"
              .formatted(
                  run,
                  answers.right(),
                  orders,
                  confirmed,
                  payments,
                  shipments,
                  cancelled,
                  refused,
                  refunds));
    }
    if (waiting > 0) {
      faults.add("%s: %d messages are left in the outboxes".formatted(run, waiting));
    }
    return faults;
  }
}
