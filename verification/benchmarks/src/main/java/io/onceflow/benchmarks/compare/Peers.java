package io.onceflow.benchmarks.compare;

import io.onceflow.benchmarks.machine.BenchBackends;
import io.onceflow.launcher.stack.Home;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;

/** Starts peers. */
@FunctionalInterface
interface Peers {

  /**
   * Starts one and returns when it is ready.
   *
   * @throws IOException with the reason if it cannot be started
   */
  Peer start(PeerName name) throws IOException, SQLException, InterruptedException;

  /** The real ones. */
  static Peers of(Home home, BenchBackends.Kind stack) {
    Path modules = home.root().resolve("verification/benchmarks/peers");
    PeerBuild build = new PeerBuild(modules, home.log("peers"));
    return name ->
        switch (name) {
          case ONCEFLOW -> OnceflowPeer.start(home, stack);
          case ONE_APPLICATION -> OnceflowPeer.startOneApplication(home, stack);
          case DBOS -> DbosPeer.start(home, stack, build.find(name), Map.of());
          case DBOS_WITH_ROWS ->
              DbosPeer.start(home, stack, build.find(name), Map.of("BUSINESS_ROWS", "true"));
          case RESTATE ->
              RestatePeer.start(
                  home, modules.resolve(name.key()).resolve("package.json"), build.find(name));
          case TEMPORAL ->
              new InProcessPeer(
                  PeerProcess.start(build.find(name), home.log("bench-" + name.key()), Map.of()));
        };
  }
}
