package io.onceflow.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.benchmarks.peers.OrderMix;
import io.onceflow.benchmarks.peers.PeerOrder;
import io.onceflow.benchmarks.peers.PeerRun;
import io.onceflow.benchmarks.peers.PeerServer;
import io.onceflow.benchmarks.peers.SimulatedServices;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PeerProcessTest {

  @TempDir private Path folder;

  @Test
  void runsSagasInAnotherJvmAndReadsWhatItDid() throws Exception {
    try (PeerProcess process = start(Talkative.class, Map.of())) {
      PeerRun run = process.run(2, Duration.ofMillis(200), OrderMix.ALL_CONFIRMED);
      assertThat(run.sagas()).isPositive();
      assertThat(process.effects().confirmed()).isEqualTo(run.sagas());
      assertThat(process.pid()).isNotEqualTo(ProcessHandle.current().pid());
    }
  }

  @Test
  void tellsWhyAProcessCouldNotStart() {
    assertThatThrownBy(() -> start(Talkative.class, Map.of("FAIL", "true")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("DBOS Transact has ended")
        .hasMessageContaining("no database");
  }

  private PeerProcess start(Class<?> main, Map<String, String> environment) throws IOException {
    PeerBuild.Built built =
        new PeerBuild.Built(PeerName.DBOS, System.getProperty("java.class.path"), main.getName());
    return PeerProcess.start(built, folder.resolve("peer.log"), environment);
  }

  /** Prints more than it is asked for, as libraries do. */
  static final class Talkative {

    public static void main(String[] arguments) throws Exception {
      System.out.println("peer of some kind starts");
      if (System.getenv("FAIL") != null) {
        throw new IllegalStateException("no database");
      }
      SimulatedServices services = new SimulatedServices();
      PeerServer.serve((PeerOrder order) -> services.confirm(order), services);
    }
  }
}
