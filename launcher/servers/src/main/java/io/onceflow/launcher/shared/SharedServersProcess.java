package io.onceflow.launcher.shared;

import io.onceflow.launcher.servers.EmbeddedBroker;
import io.onceflow.launcher.servers.EmbeddedPostgresServer;
import io.onceflow.launcher.servers.FreePorts;
import io.onceflow.launcher.servers.PostgresProcess;
import java.io.IOException;
import java.nio.file.Path;

/** Runs the servers until the last of their clients has ended. */
final class SharedServersProcess {

  private SharedServersProcess() {}

  /**
   * @param arguments the servers' folder
   */
  public static void main(String... arguments) throws IOException, InterruptedException {
    Path home = Path.of(arguments[0]);
    Path data = SharedServers.postgres(home);
    // A process that was killed has left its server.
    PostgresProcess.stop(data);
    Path log = home.resolve("postgres.log");
    try (EmbeddedPostgresServer postgres =
            EmbeddedPostgresServer.start(data, FreePorts.next(), log);
        EmbeddedBroker broker = EmbeddedBroker.start(FreePorts.next())) {
      ServersFile file = new ServersFile(home);
      ProcessHandle self = ProcessHandle.current();
      file.write(new SharedServers(self, postgres.port(), broker.port(), home));
      // The lock is held until this process has ended: what comes meanwhile starts servers again.
      Clients.awaitNone(home);
      file.delete();
    }
    // The broker's threads may continue for a while.
    System.exit(0);
  }
}
