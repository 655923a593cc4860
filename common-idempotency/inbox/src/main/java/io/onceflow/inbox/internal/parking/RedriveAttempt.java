package io.onceflow.inbox.internal.parking;

import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.consumer.Redriver;
import io.onceflow.internal.database.FailureKind;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.participant.Answer.UnprocessableMessage;
import io.onceflow.sql.Sql;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Settles a parked message as if it had just arrived, and returns the result. */
final class RedriveAttempt {

  private static final Logger LOG = Logger.getLogger(RedriveAttempt.class);

  /** A lost race is retried at once; a message that loses this often is not in a race. */
  private static final int RACES_BEARABLE = 10;

  /** Nor is one whose statements reach their timeout; other messages wait behind it. */
  private static final Duration LONGEST_RACE = Duration.ofSeconds(5);

  /** Other messages, and steps that are due, wait behind one whose row is locked. */
  private static final String SHORT_LOCK_WAITS = "SET LOCAL lock_timeout TO '500ms'";

  private final Redriver redriver;
  private final ParkedMessages parked;

  /**
   * The result.
   *
   * @param wasParked false when there was nothing to be settled
   * @param why it still cannot be handled, and so is parked as before; null when it was handled
   * @param isLocked whether that is because another transaction has a row locked
   */
  record Result(boolean wasParked, @Nullable UnprocessableMessage why, boolean isLocked) {}

  RedriveAttempt(Redriver redriver, ParkedMessages parked) {
    this.redriver = redriver;
    this.parked = parked;
  }

  /**
   * Settles it, or changes nothing.
   *
   * @param editedAt when it was edited last as it was read; what was edited after that is left
   *     parked
   * @throws SQLException when the database is unavailable
   */
  Result settle(UUID id, String queue, @Nullable Instant editedAt) throws SQLException {
    Redriver.Parked message =
        new Redriver.Parked() {
          @Override
          public String queue() {
            return queue;
          }

          @Override
          public Optional<Delivery> take(Transaction tx) throws SQLException {
            Optional<Delivery> taken = parked.take(tx.connection(), id, editedAt);
            Sql.update(tx.connection(), SHORT_LOCK_WAITS);
            return taken;
          }
        };
    long begun = System.nanoTime();
    for (int races = 0; ; ) {
      try {
        return new Result(redriver.redrive(message), null, false);
      } catch (UnprocessableMessage why) {
        return new Result(true, why, false);
      } catch (SQLException | RuntimeException | Error failure) {
        FailureKind kind = FailureKind.of(failure);
        if (kind == FailureKind.DATABASE_AWAY) {
          throw failure;
        }
        boolean isLocked = FailureKind.isLocked(failure);
        if (kind == FailureKind.OTHER
            || isLocked
            || !isBearable(++races, System.nanoTime() - begun)) {
          LOG.errorf(failure, "handling the stored message %s failed", id);
          return new Result(
              true,
              new UnprocessableMessage(ParkingReason.HANDLING_FAILED, failure.toString()),
              isLocked);
        }
      }
    }
  }

  private static boolean isBearable(int races, long nanos) {
    return races < RACES_BEARABLE && nanos < LONGEST_RACE.toNanos();
  }
}
