package io.onceflow.startup;

import io.quarkus.runtime.LaunchMode;
import io.smallrye.config.SmallRyeConfig;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;

/**
 * Holds a service back until its database lets it in. Without, Flyway and Hibernate would end the
 * process with a page of exceptions at the first wrong password. While it waits it says why, once
 * per reason, and answers on the management port that the service lives and is not ready.
 *
 * <pre>{@code
 * @QuarkusMain
 * public final class Main {
 *   public static void main(String... arguments) {
 *     DatabaseGate.await();
 *     Quarkus.run(arguments);
 *   }
 * }
 * }</pre>
 */
public final class DatabaseGate {

  /** Short beside the time in which somebody mends a password, long beside a refused log-in. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private static final int CONNECT_TIMEOUT_S = 5;
  private static final Driver DRIVER = new Driver();

  private final List<DatabaseLogin> logins;
  private final Spoken spoken;
  private final DatabaseAway answers;

  private DatabaseGate(List<DatabaseLogin> logins, Spoken spoken, DatabaseAway answers) {
    this.logins = logins;
    this.spoken = spoken;
    this.answers = answers;
  }

  /**
   * Returns when every user that this service's configuration names can log in to its database: the
   * one that it runs as and, unless migrations are made elsewhere, the one that makes them. In
   * development and in tests it returns at once.
   */
  public static void await() {
    if (LaunchMode.current() != LaunchMode.NORMAL) {
      return;
    }
    SmallRyeConfig config = EarlyConfig.read();
    try (DatabaseAway answers = DatabaseAway.on(config)) {
      new DatabaseGate(DatabaseLogin.of(config), new Spoken(config), answers).pass();
    }
  }

  private void pass() {
    boolean hasWaited = false;
    Optional<String> refusal = refusal();
    while (refusal.isPresent() && !Thread.currentThread().isInterrupted()) {
      hasWaited = true;
      spoken.say("ERROR", refusal.get() + "; trying again until that is put right");
      answers.because(refusal.get());
      LockSupport.parkNanos(PAUSE.toNanos());
      refusal = refusal();
    }
    if (hasWaited) {
      spoken.say("INFO", "the database lets this service in");
    }
  }

  /** Why one of the users cannot log in; empty when all can. */
  private Optional<String> refusal() {
    for (DatabaseLogin login : logins) {
      String why = tried(login);
      if (why != null) {
        return Optional.of(
            "the database at %s refuses user %s: %s".formatted(login.shown(), login.user(), why));
      }
    }
    return Optional.empty();
  }

  private static @Nullable String tried(DatabaseLogin login) {
    Properties properties = new Properties();
    properties.setProperty("user", login.user());
    properties.setProperty("password", login.password());
    properties.setProperty("loginTimeout", Integer.toString(CONNECT_TIMEOUT_S));
    properties.setProperty("connectTimeout", Integer.toString(CONNECT_TIMEOUT_S));
    try (Connection connection = DRIVER.connect(login.url(), properties)) {
      return connection == null ? "the address is none of PostgreSQL" : null;
    } catch (SQLException e) {
      return reason(e);
    }
  }

  /** What went wrong first, since the driver wraps what TLS says. */
  private static String reason(SQLException e) {
    Throwable first = e;
    while (first.getCause() != null) {
      first = first.getCause();
    }
    String outer = oneLine(e);
    String inner = oneLine(first);
    return outer.contains(inner) ? outer : "%s (%s)".formatted(outer, inner);
  }

  private static String oneLine(Throwable e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("").strip();
  }
}
