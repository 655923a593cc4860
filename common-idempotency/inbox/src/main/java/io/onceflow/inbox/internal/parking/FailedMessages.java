package io.onceflow.inbox.internal.parking;

import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.inbox.internal.consumer.Redriver;
import io.onceflow.participant.Answer.UnprocessableMessage;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Retries messages that are in order but whose handling failed, such as by a bug or because a row
 * or a saga did not exist yet, and those that the broker dead-lettered before they were handled.
 * They are parked at their first failure, so they do not delay later messages; when their attempts
 * are used up they stay parked for an operator (rule 13). One that waits for the lock of another
 * transaction is tried until that has ended. An attempt is counted in the database before it is
 * made, so a message that crashes the process times out as well.
 *
 * <p>A command whose type the process does not know is deferred here too, and not tried before a
 * process knows it; after a day it stays parked.
 */
public final class FailedMessages {

  private static final Logger LOG = Logger.getLogger(FailedMessages.class);

  /** Some hundred milliseconds of work; the rest is for the next turn. */
  private static final int MOST_PER_TURN = 100;

  /**
   * For a command whose type is not known: longer than a rollout, or a release that is withdrawn.
   */
  private static final Duration DEFER_FOR = Duration.ofDays(1);

  /** Other turns of the same thread, such as for steps whose next call is due, wait meanwhile. */
  private static final Duration LONGEST_TURN = Duration.ofSeconds(5);

  private final Redriver redriver;
  private final ParkedMessages parked;
  private final InboxConfig.Handling config;
  private final RedriveAttempt redrive;

  /** One that is due, at the attempt that was counted for it. */
  record Due(UUID id, int attempt) {}

  /**
   * @param redriver handles them as it handles messages that arrive
   */
  public FailedMessages(Redriver redriver, ParkedMessages parked, InboxConfig config) {
    this.redriver = redriver;
    this.parked = parked;
    this.config = config.handling();
    this.redrive = new RedriveAttempt(redriver, parked, null);
  }

  /**
   * Tries what is due, each in a separate transaction. Called at intervals by every replica; they
   * share the work without a leader. Each is claimed when its turn comes, so that what interrupts a
   * turn costs no other message an attempt.
   *
   * @return how many were due
   */
  public int tryAgain() throws SQLException {
    long until = System.nanoTime() + LONGEST_TURN.toNanos();
    for (int due = 0; due < MOST_PER_TURN; due++) {
      boolean isOver = due > 0 && System.nanoTime() - until > 0;
      Optional<Due> next =
          isOver ? Optional.empty() : parked.claimDue(config, redriver.types(), DEFER_FOR);
      if (next.isEmpty()) {
        return due;
      }
      if (next.get().attempt() > config.attempts()) {
        giveUp(next.get(), null);
      } else {
        tryAgain(next.get());
      }
    }
    return MOST_PER_TURN;
  }

  /**
   * Counts what is parked, and tries nothing. Called at intervals instead of {@link #tryAgain}.
   *
   * @return false: nothing was due
   */
  public boolean rest() {
    parked.look();
    return false;
  }

  private void tryAgain(Due due) throws SQLException {
    RedriveAttempt.Result result = redrive.settle(due.id());
    UnprocessableMessage why = result.why();
    if (why == null && !result.wasParked()) {
      LOG.debugf("the parked message %s was edited, deleted or handled meanwhile", due.id());
    } else if (why == null) {
      parked.countAgain("handled");
      LOG.infof("the parked message %s was handled at attempt %s", due.id(), due.attempt());
    } else if (result.isLocked() && due.attempt() == config.attempts()) {
      parked.countAgain("failed");
      parked.uncount(due.id());
      parked.explain(due.id(), noting(why, "tried again until the row is not locked any more"));
    } else if (due.attempt() == config.attempts() || !why.reason().isTriedAgain()) {
      giveUp(due, why);
    } else {
      parked.countAgain("failed");
      parked.explain(
          due.id(), noting(why, "attempt %s of %s".formatted(due.attempt(), config.attempts())));
    }
  }

  /**
   * @param why null when the process died before it could record it
   */
  private void giveUp(Due due, @Nullable UnprocessableMessage why) throws SQLException {
    int made = Math.min(due.attempt(), config.attempts());
    parked.giveUp(
        due.id(), why == null ? null : noting(why, "attempts exhausted: %s".formatted(made)));
    parked.countAgain("given-up");
    LOG.errorf("the parked message %s stays parked after %s attempts", due.id(), made);
  }

  private static UnprocessableMessage noting(UnprocessableMessage why, String attempts) {
    return new UnprocessableMessage(why.reason(), "%s (%s)".formatted(why.getMessage(), attempts));
  }
}
