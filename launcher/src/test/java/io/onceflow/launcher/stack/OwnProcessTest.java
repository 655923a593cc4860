package io.onceflow.launcher.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class OwnProcessTest {

  private static final Duration GRACE = Duration.ofSeconds(10);

  @Test
  void endsWhenAsked() throws IOException {
    Process process = start("exec sleep 60");
    OwnProcess own = OwnProcess.of("sleeper", process.toHandle());
    assertThat(own.isAlive()).isTrue();
    own.askToEnd();
    assertThat(own.awaitEnd(GRACE)).isTrue();
    assertThat(own.isAlive()).isFalse();
  }

  @Test
  void isKilledIfItDoesNotListen() throws IOException {
    Process process = start("trap '' TERM; echo deaf; while true; do sleep 0.1; done");
    assertThat(process.inputReader().readLine()).isEqualTo("deaf");
    OwnProcess own = OwnProcess.of("deaf", process.toHandle());
    own.askToEnd();
    assertThat(own.awaitEnd(Duration.ofMillis(200))).isFalse();
    assertThat(own.isAlive()).isFalse();
  }

  @Test
  void leavesAStrangerAloneThatHasItsNumberNow() throws IOException {
    Process stranger = start("exec sleep 60");
    try {
      OwnProcess own = new OwnProcess("long gone", stranger.pid(), 0);
      assertThat(own.isAlive()).isFalse();
      own.askToEnd();
      assertThat(own.awaitEnd(GRACE)).isTrue();
      assertThat(stranger.isAlive()).isTrue();
    } finally {
      stranger.destroyForcibly();
    }
  }

  private static Process start(String script) throws IOException {
    return new ProcessBuilder("sh", "-c", script).start();
  }
}
