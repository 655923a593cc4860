package io.onceflow.inbox.internal.parking;

import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.consumer.Redriver;
import io.onceflow.internal.database.FailureKind;
import io.onceflow.participant.Answer.UnprocessableMessage;
import io.onceflow.sql.Sql;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
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
  private final Function<UUID, Redriver.Parked> place;

  /**
   * The result.
   *
   * @param wasParked false when there was nothing to be settled
   * @param why it still cannot be handled, and so is parked as before; null when it was handled
   * @param isLocked whether that is because another transaction has a row locked
   */
  record Result(boolean wasParked, @Nullable UnprocessableMessage why, boolean isLocked) {}

  /**
   * @param editedAt when what is taken was edited last; what was edited after that is left parked.
   *     Null takes what is as it came
   */
  RedriveAttempt(Redriver redriver, ParkedMessages parked, @Nullable Instant editedAt) {
    this(redriver, id -> tx -> parked.take(tx.connection(), id, editedAt));
  }

  /**
   * @param place where a message is taken from
   */
  RedriveAttempt(Redriver redriver, Function<UUID, Redriver.Parked> place) {
    this.redriver = redriver;
    this.place = place;
  }

  /**
   * Settles it, or changes nothing.
   *
   * @throws SQLException when the database is unavailable
   */
  Result settle(UUID id) throws SQLException {
    long begun = System.nanoTime();
    for (int races = 0; ; ) {
      try {
        return new Result(redriver.redrive(briefly(place.apply(id))), null, false);
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

  private static Redriver.Parked briefly(Redriver.Parked parked) {
    return tx -> {
      Optional<Delivery> taken = parked.take(tx);
      Sql.update(tx.connection(), SHORT_LOCK_WAITS);
      return taken;
    };
  }

  private static boolean isBearable(int races, long nanos) {
    return races < RACES_BEARABLE && nanos < LONGEST_RACE.toNanos();
  }
}
