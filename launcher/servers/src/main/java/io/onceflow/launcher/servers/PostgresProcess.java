package io.onceflow.launcher.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The PostgreSQL server on the data of a home folder. A launcher that has ended may have started
 * it.
 */
public final class PostgresProcess {

  private static final Logger LOG = LoggerFactory.getLogger(PostgresProcess.class);

  /** A checkpoint of what a trial has written; past this it recovers at its next start instead. */
  private static final Duration STOP_WAIT = Duration.ofSeconds(20);

  private PostgresProcess() {}

  /**
   * Finds the server.
   *
   * @param home as given to {@link EmbeddedPostgresServer#start}
   */
  public static Optional<ProcessHandle> find(Path home) {
    Path data = home.resolve("data");
    try {
      String pid = Files.readAllLines(data.resolve("postmaster.pid")).getFirst();
      return ProcessHandle.of(Long.parseLong(pid.strip())).filter(it -> runsOn(data, it));
    } catch (IOException | NumberFormatException | NoSuchElementException e) {
      // No such file, or one that is being written: nothing has got as far as running.
      return Optional.empty();
    }
  }

  /** The file may be stale, and its number a stranger's by now. */
  private static boolean runsOn(Path data, ProcessHandle process) {
    ProcessHandle.Info info = process.info();
    return info.commandLine()
        .map(line -> line.contains(data.toString()))
        // Not every system provides the arguments.
        .orElseGet(() -> info.command().filter(it -> it.endsWith("/postgres")).isPresent());
  }

  /**
   * Stops the server, closing the connections it has.
   *
   * @param home as given to {@link EmbeddedPostgresServer#start}
   * @return whether there was one
   */
  public static boolean stop(Path home) {
    Optional<ProcessHandle> process = find(home);
    process.ifPresent(PostgresProcess::stop);
    return process.isPresent();
  }

  /** SIGINT makes PostgreSQL stop at once but cleanly; Java can only send others. */
  private static void stop(ProcessHandle process) {
    boolean ended = false;
    try {
      new ProcessBuilder("sh", "-c", "kill -INT " + process.pid()).start();
      ended = ProcessEnd.await(process, STOP_WAIT);
    } catch (IOException e) {
      LOG.warn("PostgreSQL cannot be asked to stop and is killed", e);
    }
    if (!ended) {
      process.destroyForcibly();
    }
  }
}
