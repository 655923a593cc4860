package io.onceflow.inbox.internal.parking;

import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.inbox.internal.consumer.Redriver;
import io.onceflow.internal.database.LeaseCondition;
import io.onceflow.participant.Answer.UnprocessableMessage;
import io.onceflow.sql.Column;
import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import java.sql.Connection;
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
 * <p>What a process does not know, such as a command of a type without a handler or a reply to a
 * saga of a newer version, is deferred: a process that knows it takes it from here. After {@link
 * InboxConfig.Handling#deferFor} it stays parked.
 */
public final class FailedMessages {

  private static final Logger LOG = Logger.getLogger(FailedMessages.class);

  /** Some hundred milliseconds of work; the rest is for the next turn. */
  private static final int MOST_PER_TURN = 100;

  /** Other turns of the same thread, such as for steps whose next call is due, wait meanwhile. */
  private static final Duration LONGEST_TURN = Duration.ofSeconds(5);

  /**
   * Counts the attempt before it is made; other replicas leave the row alone for the pause. One
   * that was deferred is so no more.
   */
  private static final String CLAIM_DUE =
      """
      WITH due AS MATERIALIZED (
        SELECT id, reason, waits_for
        FROM   parked_message
        WHERE  id = coalesce(
          (SELECT   id
           FROM     parked_message
           WHERE    waits_for IS NULL
           AND      %s
           ORDER BY next_attempt_at
           LIMIT    1
           FOR UPDATE SKIP LOCKED),
          (SELECT   id
           FROM     parked_message
           WHERE    waits_for IS NOT NULL
           AND      next_attempt_at < now()
           AND      (waits_for && ? OR parked_at < now() - make_interval(secs => ?))
           ORDER BY next_attempt_at
           LIMIT    1
           FOR UPDATE SKIP LOCKED))
      )
      UPDATE parked_message AS parked
      SET    attempts = least(attempts, 2147483646) + 1,     -- or one row would end each look
             next_attempt_at =
               now() + make_interval(secs => least(? * power(2, least(attempts - 1, 30)), ?)),
             waits_for = NULL
      FROM   due
      WHERE  parked.id = due.id
      RETURNING parked.id, parked.queue, parked.attempts, due.reason = 'deferred' AS is_reply,
                coalesce(NOT due.waits_for && ?, false) AS is_expired
      """
          .formatted(LeaseCondition.isOver("next_attempt_at", "make_interval(secs => ?)"));

  /** Apart from the claim, which need not look for them each time then. */
  private static final String MAKE_KNOWN_DUE =
      """
      UPDATE parked_message
      SET    next_attempt_at = now()
      WHERE  id IN (SELECT id
                    FROM   parked_message
                    WHERE  waits_for && ?
                    AND    next_attempt_at > now()
                    LIMIT  1000
                    FOR UPDATE SKIP LOCKED)
      """;

  /** Until the same time as before. */
  private static final String DEFER_AGAIN =
      """
      UPDATE parked_message
      SET    waits_for = ARRAY[type], next_attempt_at = parked_at + make_interval(secs => ?)
      WHERE  id = ?
      """;

  private static final String UNCOUNT =
      "UPDATE parked_message SET attempts = attempts - 1 WHERE id = ?";

  private static final String GIVE_UP =
      "UPDATE parked_message SET next_attempt_at = NULL WHERE id = ?";

  private final Redriver redriver;
  private final ParkedMessages parked;
  private final MeterRegistry metrics;
  private final InboxConfig.Handling config;
  private final RedriveAttempt redrive;
  private final ParkedJobWork jobs;

  /**
   * One that is due.
   *
   * @param attempt that was counted for it
   * @param isReply whether it is a reply that was deferred
   * @param isExpired whether it was deferred for too long
   */
  private record Due(UUID id, String queue, int attempt, boolean isReply, boolean isExpired) {

    static Due of(Row row) throws SQLException {
      return new Due(
          row.uuid("id"),
          row.text("queue"),
          row.integer("attempts"),
          row.truth("is_reply"),
          row.truth("is_expired"));
    }
  }

  /**
   * @param redriver handles them as it handles messages that arrive
   */
  public FailedMessages(Redriver redriver, ParkedMessages parked, InboxConfig config) {
    this.redriver = redriver;
    this.parked = parked;
    this.metrics = parked.metrics();
    this.config = config.handling();
    this.redrive = new RedriveAttempt(redriver, parked);
    RedriveService redriving =
        new RedriveService(redriver, parked, (message, operator) -> Optional.empty(), config);
    this.jobs = new ParkedJobWork(parked, redriving);
  }

  /**
   * Tries what is due, each in a separate transaction, and what operators have jobs for. Called at
   * intervals by every replica; they share the work without a leader. Each is claimed when its turn
   * comes, so that what interrupts a turn costs no other message an attempt.
   *
   * @return how many were due; one at least while a job runs
   */
  public int tryAgain() throws SQLException {
    parked.look();
    int due = tryDue();
    return jobs.turn() ? Math.max(due, 1) : due;
  }

  private int tryDue() throws SQLException {
    long until = System.nanoTime() + LONGEST_TURN.toNanos();
    for (int due = 0; due < MOST_PER_TURN; due++) {
      boolean isOver = due > 0 && System.nanoTime() - until > 0;
      Optional<Due> next = isOver ? Optional.empty() : claim();
      if (next.isEmpty()) {
        return due;
      }
      tryAgain(next.get());
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

  /** The longest due first; of what is deferred, what this process knows and what has expired. */
  private Optional<Due> claim() throws SQLException {
    Column known = Column.texts(redriver.known());
    try (Connection connection = parked.database().getConnection()) {
      Optional<Due> due = claim(connection, known);
      return due.isPresent() || Sql.update(connection, MAKE_KNOWN_DUE, known) == 0
          ? due
          : claim(connection, known);
    }
  }

  private Optional<Due> claim(Connection connection, Column known) throws SQLException {
    double longest = ParkedMessages.seconds(config.longestBackoff());
    return Sql.find(
        connection,
        CLAIM_DUE,
        Due::of,
        longest,
        known,
        ParkedMessages.seconds(config.deferFor()),
        ParkedMessages.seconds(config.firstBackoff()),
        longest,
        known);
  }

  private void tryAgain(Due due) throws SQLException {
    if (due.isExpired() || due.attempt() > config.attempts()) {
      giveUp(due, due.isExpired() && due.isReply() ? deferredTooLong() : null);
      return;
    }
    RedriveAttempt.Result result = redrive.settle(due.id(), due.queue(), null);
    UnprocessableMessage why = result.why();
    if (why == null && !result.wasParked()) {
      LOG.debugf("the parked message %s was edited, deleted or handled meanwhile", due.id());
    } else if (why == null) {
      count(due, "handled", null);
      LOG.infof("the parked message %s was handled at attempt %s", due.id(), due.attempt());
    } else if (why.reason() == ParkingReason.UNKNOWN_COMMAND) {
      parked.update(DEFER_AGAIN, ParkedMessages.seconds(config.deferFor()), due.id());
    } else if (result.isLocked() && due.attempt() == config.attempts()) {
      count(due, "failed", why);
      parked.update(UNCOUNT, due.id());
      parked.explain(due.id(), noting(why, "tried again until the row is not locked any more"));
    } else if (due.attempt() == config.attempts() || !why.reason().isTriedAgain()) {
      int made = Math.min(due.attempt(), config.attempts());
      giveUp(due, noting(why, "attempts exhausted: %s".formatted(made)));
    } else {
      count(due, "failed", why);
      parked.explain(
          due.id(), noting(why, "attempt %s of %s".formatted(due.attempt(), config.attempts())));
    }
  }

  /**
   * @param why null keeps the reason that is stored, as when the process died before it could
   *     record one
   */
  private void giveUp(Due due, @Nullable UnprocessableMessage why) throws SQLException {
    parked.update(GIVE_UP, due.id());
    if (why != null) {
      parked.explain(due.id(), why);
    }
    count(due, "given-up", why);
    LOG.errorf("the parked message %s is not retried after attempt %s", due.id(), due.attempt());
  }

  private void count(Due due, String outcome, @Nullable UnprocessableMessage why) {
    metrics.counter("onceflow.inbox.tried.again", "outcome", outcome).increment();
    if (due.isReply()) {
      String ended = outcome.equals("handled") ? "taken" : "parked";
      metrics.counter("onceflow.replies.deferred.ended", "outcome", ended).increment();
    }
    if (due.isReply() && why != null) {
      metrics.counter(Parking.COUNTER, "reason", why.reason().word()).increment();
    }
  }

  private static UnprocessableMessage deferredTooLong() {
    return new UnprocessableMessage(
        ParkingReason.DEFERRED_TOO_LONG,
        "no replica has known its saga's definition, or its type, for as long as replies are"
            + " deferred");
  }

  private static UnprocessableMessage noting(UnprocessableMessage why, String attempts) {
    return new UnprocessableMessage(why.reason(), "%s (%s)".formatted(why.getMessage(), attempts));
  }
}
