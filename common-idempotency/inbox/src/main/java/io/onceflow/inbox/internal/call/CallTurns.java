package io.onceflow.inbox.internal.call;

import io.onceflow.participant.internal.CallLimit;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;

/**
 * The turns of calls that begin at most so often, over all replicas. A row for each type of command
 * says when what has been taken of its rate will be used up (the generic cell rate algorithm, ITU-T
 * I.371). A transaction that takes turns keeps the row until its end.
 */
final class CallTurns {

  private static final String LOCK =
      """
      INSERT INTO inbox_call_rate AS rate (type, free_at, taken_at)
      VALUES (?, clock_timestamp(), clock_timestamp())
      ON CONFLICT (type) DO UPDATE
      SET    taken_at = rate.taken_at
      RETURNING free_at, taken_at, clock_timestamp() AS now
      """;

  private static final String WRITE =
      """
      UPDATE inbox_call_rate
      SET    free_at = ?,
             taken_at = ?
      WHERE  type = ?
      """;

  private static final String GIVE_BACK =
      """
      UPDATE inbox_call_rate
      SET    free_at = free_at - ?::interval
      WHERE  type = ?
      """;

  private CallTurns() {}

  /**
   * What is taken of a rate.
   *
   * @param freeAt from then on the whole rate is there
   * @param takenAt later than now where the clock was ahead
   */
  record Taken(Instant freeAt, Instant takenAt) {

    /** How far it reaches; what a clock that was ahead has left is brought back by as much. */
    private Instant from(Instant now) {
      Duration ahead = Duration.between(now, takenAt);
      Instant until = ahead.isNegative() ? freeAt : freeAt.minus(ahead);
      return until.isBefore(now) ? now : until;
    }

    /** How many calls may begin now. */
    int available(CallLimit limit, Instant now) {
      Duration left = Duration.between(from(now), now.plus(limit.within()));
      return left.isNegative() ? 0 : (int) left.dividedBy(each(limit));
    }

    /** The same after so many have been taken. */
    Taken take(CallLimit limit, Instant now, int turns) {
      return new Taken(from(now).plus(each(limit).multipliedBy(turns)), now);
    }
  }

  /** Takes as many turns as there are now, up to those that are wanted. */
  static int take(Connection tx, String type, CallLimit limit, int wanted) throws SQLException {
    return Sql.query(
            tx,
            LOCK,
            row -> {
              Taken taken = new Taken(row.time("free_at"), row.time("taken_at"));
              Instant now = row.time("now");
              int turns = Math.min(wanted, taken.available(limit, now));
              return new Turns(turns, taken.take(limit, now, turns));
            },
            type)
        .getFirst()
        .write(tx, type);
  }

  private record Turns(int number, Taken taken) {

    int write(Connection tx, String type) throws SQLException {
      if (number > 0) {
        Sql.update(tx, WRITE, taken.freeAt(), taken.takenAt(), type);
      }
      return number;
    }
  }

  /** Gives turns back of which no call has come. */
  static void giveBack(Connection tx, String type, CallLimit limit, int turns) throws SQLException {
    if (turns > 0) {
      Sql.update(tx, GIVE_BACK, each(limit).multipliedBy(turns).toString(), type);
    }
  }

  private static Duration each(CallLimit limit) {
    return limit.within().dividedBy(limit.most());
  }
}
