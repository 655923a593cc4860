package io.onceflow.test.races;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A process's way to its database, which ends when the process dies: whatever had not been
 * committed by then is undone, as the server undoes it when a connection breaks, and nothing is
 * written any more.
 */
final class MortalSource {

  /**
   * Class 57: the consumer takes it for a database that is unavailable, and would wait for ever.
   */
  private static final String GONE = "57P01";

  private final DataSource real;
  private final Runnable onDeath;
  private final AtomicInteger commits = new AtomicInteger();
  private volatile @Nullable Doom doom;
  private volatile boolean dead;

  /** Where in a commit a process dies. */
  enum Moment {
    BEFORE_COMMIT,
    AFTER_COMMIT
  }

  private record Doom(int commit, Moment moment) {}

  /**
   * @param onDeath what else ends with the process; called once
   */
  MortalSource(DataSource real, Runnable onDeath) {
    this.real = real;
    this.onDeath = onDeath;
  }

  /** The process dies at its commit of this number, counted from one. */
  void dieAtCommit(int number, Moment moment) {
    doom = new Doom(number, moment);
  }

  /** It dies here and now, and not in the middle of a commit. */
  synchronized void die() {
    if (!dead) {
      dead = true;
      onDeath.run();
    }
  }

  boolean isDead() {
    return dead;
  }

  /** How many transactions have been committed, or tried to. */
  int commits() {
    return commits.get();
  }

  /** The database as the process sees it. */
  DataSource database() {
    return Wrapper.around(
        real,
        DataSource.class,
        (method, call) -> method.equals("getConnection") ? connect() : call.make());
  }

  private Connection connect() throws SQLException {
    checkAlive();
    Connection connection = real.getConnection();
    return Wrapper.around(
        connection,
        Connection.class,
        (method, call) ->
            switch (method) {
              case "commit" -> {
                commit(connection);
                yield null;
              }
              // Done by the server for a process that is gone.
              case "rollback", "close", "isClosed" -> call.make();
              default -> {
                checkAlive();
                yield call.make();
              }
            });
  }

  private synchronized void commit(Connection connection) throws SQLException {
    checkAlive();
    int number = commits.get() + 1;
    dieIfDoomed(number, Moment.BEFORE_COMMIT);
    checkAlive();
    connection.commit();
    commits.incrementAndGet();
    dieIfDoomed(number, Moment.AFTER_COMMIT);
    checkAlive();
  }

  private void dieIfDoomed(int number, Moment moment) {
    if (new Doom(number, moment).equals(doom)) {
      die();
    }
  }

  private void checkAlive() throws SQLException {
    if (dead) {
      throw new SQLException("this process has died", GONE);
    }
  }
}
