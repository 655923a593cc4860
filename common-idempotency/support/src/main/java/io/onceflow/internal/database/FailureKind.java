package io.onceflow.internal.database;

import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;

/** What kind of trouble the database is in, read from its SQLSTATE (PostgreSQL, appendix A). */
public enum FailureKind {
  /** The database cannot be reached or is not taking work: wait for it. */
  DATABASE_AWAY,
  /** A race was lost: the same again will find what the other wrote. */
  RACE,
  /** What was asked for is at fault, or the code. */
  OTHER;

  private static final String LOCKED = "55P03";

  /**
   * Serialization failure, deadlock; a lock or a statement took longer than it may; a prepared
   * statement that the server no longer has, which the driver prepares again.
   */
  private static final Set<String> RACES = Set.of("40001", "40P01", LOCKED, "57014", "26000");

  /**
   * A plan of before a migration: "cached plan must not change result type". PostgreSQL has no
   * SQLSTATE for it alone, and its text depends on the server's language.
   */
  private static final String STALE_PLAN = "RevalidateCachedQuery";

  /**
   * Read-only after a failover; a transaction that idled too long; no such database, yet; and the
   * driver's own failure, as when the pool interrupts a thread that is connecting for another.
   */
  private static final Set<String> AWAY = Set.of("25006", "25P03", "3D000", "99999");

  /**
   * Connection failures, refused log-ins, no memory, disk or connection left, operator
   * intervention, and errors of the machine beneath.
   */
  private static final Set<String> AWAY_CLASSES = Set.of("08", "28", "53", "57", "58");

  /** Where Quarkus' pool hands out connections; its wrappers of them are in another package. */
  private static final Pattern POOL =
      Pattern.compile("io\\.agroal\\.pool\\.(ConnectionPool|Poolless|DataSource)(\\$.*)?");

  /**
   * The kind of the first failure of the database among the causes, and without one among what was
   * suppressed: a transaction manager keeps there why a commit failed. {@link #OTHER} without one.
   */
  public static FailureKind of(Throwable failure) {
    return first(failure).map(FailureKind::ofSql).orElse(OTHER);
  }

  /** Whether a lock was not free within {@code lock_timeout}: another transaction has it. */
  public static boolean isLocked(Throwable failure) {
    return first(failure).map(SQLException::getSQLState).filter(LOCKED::equals).isPresent();
  }

  private static Optional<SQLException> first(@Nullable Throwable failure) {
    if (failure == null || failure instanceof SQLException) {
      return Optional.ofNullable((SQLException) failure);
    }
    return first(failure.getCause())
        .or(
            () ->
                Stream.of(failure.getSuppressed())
                    .flatMap(suppressed -> first(suppressed).stream())
                    .findFirst());
  }

  private static FailureKind ofSql(SQLException e) {
    if (e instanceof SQLTransientConnectionException || e instanceof SQLRecoverableException) {
      return DATABASE_AWAY;
    }
    return ofState(e.getSQLState(), e);
  }

  private static FailureKind ofState(@Nullable String state, SQLException e) {
    if (state == null) {
      return first(e.getCause())
          .map(FailureKind::ofSql)
          .orElseGet(() -> isOfPool(e) ? DATABASE_AWAY : OTHER);
    }
    return switch (state) {
      case String race when RACES.contains(race) || isStalePlan(e) -> RACE;
      case String away when isAway(away) -> DATABASE_AWAY;
      default -> OTHER;
    };
  }

  /**
   * Whether the connection pool gives no connection: such failures of its own carry no SQLSTATE.
   * Neither do those that a mistake of the code brings about, such as a commit in a transaction
   * that is not its own: to wait for the database would be of no use.
   */
  private static boolean isOfPool(SQLException e) {
    return e.getCause() instanceof TimeoutException
        || Stream.of(e.getStackTrace())
            .limit(1)
            .map(StackTraceElement::getClassName)
            .anyMatch(POOL.asMatchPredicate());
  }

  private static boolean isStalePlan(SQLException e) {
    for (Throwable t = e; t != null; t = t.getCause()) {
      if (t instanceof PSQLException failure && failure.getServerErrorMessage() != null) {
        return STALE_PLAN.equals(failure.getServerErrorMessage().getRoutine());
      }
    }
    return false;
  }

  private static boolean isAway(String state) {
    return AWAY.contains(state) || AWAY_CLASSES.stream().anyMatch(state::startsWith);
  }
}
