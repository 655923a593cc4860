package io.onceflow.launcher.stack;

import io.onceflow.launcher.servers.PostgresProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Ends what a launcher left running that was killed. */
public final class Leftovers {

  private static final Duration GRACE = Duration.ofSeconds(15);

  private Leftovers() {}

  /**
   * Stops every process of the project that {@code stack.json} names and PostgreSQL on the
   * project's data, then removes the file.
   *
   * @return the names of those that ran
   */
  public static List<String> stop(Home home) throws IOException {
    List<OwnProcess> processes =
        StackState.read(home.stackFile()).map(StackState::processes).orElse(List.of());
    List<OwnProcess> alive =
        processes.stream().filter(OwnProcess::isAlive).filter(it -> !isPostgres(it)).toList();
    alive.forEach(OwnProcess::askToEnd);
    alive.forEach(it -> it.awaitEnd(GRACE));
    List<String> stopped = new ArrayList<>(alive.stream().map(OwnProcess::name).toList());
    // Last, and by its own file: it waits for its clients.
    if (PostgresProcess.stop(home.postgres())) {
      stopped.add("postgres");
    }
    Files.deleteIfExists(home.stackFile());
    return stopped;
  }

  private static boolean isPostgres(OwnProcess process) {
    return process.name().equals("postgres");
  }
}
