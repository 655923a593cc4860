package io.onceflow.internal.startup;

import io.smallrye.config.SmallRyeConfig;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * Delays the start of a service until it can log in to its database. Otherwise Flyway and Hibernate
 * would end the process with a page of exceptions at the first wrong password. While it waits it
 * logs the reason, once per reason, and the management port answers live and not ready.
 *
 * <pre>{@code
 * @QuarkusMain
 * public final class Main {
 *   public static void main(String... arguments) {
 *     DatabaseGate.await(System.out);
 *     Quarkus.run(arguments);
 *   }
 * }
 * }</pre>
 */
public final class DatabaseGate {

  /**
   * Short beside the time in which an operator corrects a password, long beside a refused log-in.
   */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final List<DatabaseLogin> logins;
  private final StartupLog log;
  private final StartupHealthServer answers;

  private DatabaseGate(List<DatabaseLogin> logins, StartupLog log, StartupHealthServer answers) {
    this.logins = logins;
    this.log = log;
    this.answers = answers;
  }

  /**
   * Returns when every user that this service's configuration names can log in to its database: the
   * one that it runs as and, if it runs migrations itself, the one that runs them. In development
   * and in tests it returns at once.
   *
   * @param lines where to print what it waits for, since there is no logger yet
   */
  public static void await(PrintStream lines) {
    SmallRyeConfig config = BootstrapConfig.read();
    if (!BootstrapConfig.isProduction(config)) {
      return;
    }
    try (StartupHealthServer answers = StartupHealthServer.on(config)) {
      new DatabaseGate(
              DatabaseLogin.of(config), new StartupLog(DatabaseGate.class, config, lines), answers)
          .pass();
    }
  }

  private void pass() {
    boolean hasWaited = false;
    Optional<String> refusal = refusal();
    while (refusal.isPresent() && !Thread.currentThread().isInterrupted()) {
      hasWaited = true;
      log.say("ERROR", refusal.get() + "; retrying until it can log in");
      answers.because(refusal.get());
      LockSupport.parkNanos(PAUSE.toNanos());
      refusal = refusal();
    }
    if (hasWaited) {
      log.say("INFO", "logged in to the database");
    }
  }

  /** Why one of the users cannot log in; empty when all can. */
  private Optional<String> refusal() {
    return logins.stream().map(DatabaseLogin::refusal).flatMap(Optional::stream).findFirst();
  }
}
