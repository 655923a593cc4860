package io.onceflow.benchmarks.drain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.benchmarks.sql.DatabaseServer;
import io.onceflow.benchmarks.sql.EmbeddedDatabases;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("nightly")
class RelayDrainTest {

  @Test
  void waitsUntilTheRelayHasTakenAllRowsAndNoLongerThanItMay() throws Exception {
    try (EmbeddedDatabases databases = new EmbeddedDatabases()) {
      databases.migrate();
      DatabaseServer server = databases.server();

      assertThatThrownBy(
              () -> RelayDrain.measure(server, DrainQueue.SINGLY, 10, Duration.ofMillis(100)))
          .isInstanceOf(IOException.class);
      assertThat(server.ask("orders", "SELECT count(*) FROM outbox_message")).isEqualTo("10");

      CompletableFuture<Drained> drained =
          CompletableFuture.supplyAsync(() -> drain(server, Duration.ofSeconds(30)));
      while (!server.ask("orders", "SELECT count(*) FROM outbox_message").equals("110")) {
        Thread.onSpinWait();
      }
      server.execute("orders", "DELETE FROM outbox_message");

      assertThat(drained.join().messages()).isEqualTo(100);
      assertThat(drained.join().perSecond()).isPositive();
    }
  }

  private static Drained drain(DatabaseServer server, Duration longest) {
    try {
      return RelayDrain.measure(server, DrainQueue.SINGLY, 100, longest);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
