package io.onceflow.outbox.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.onceflow.core.internal.Backpressure;
import io.onceflow.launcher.testing.TestServers;
import io.onceflow.outbox.Heard;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.Shipping;
import io.onceflow.outbox.TestConfig;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** How much waits in the outbox, for those who add to it. */
@Timeout(60)
class OutboxDepthTest {

  private final Shipping shipping = new Shipping();
  private final OutboxConfig config = TestConfig.outbox(Map.of("most-waiting", 20));
  private final Heard<Backpressure> heard = new Heard<>();
  private final OutboxDepth depth = new OutboxDepth(Shipping.DATABASE.source(), config, heard);

  @AfterEach
  void close() {
    Shipping.DATABASE.update("DELETE FROM outbox_message");
  }

  @Test
  void countsUpToItsBound() throws Exception {
    commit(15);
    assertThat(depth.waiting()).isEqualTo(15);
    commit(15);
    assertThat(depth.waiting()).isEqualTo(depth.bound()).isEqualTo(20);
  }

  /** Seen red: outside a transaction its timeout could not be set. */
  @Test
  void doesNotWaitLongForALookFromTheStart() throws Exception {
    OutboxDepth patient = new OutboxDepth(patient(), config, heard);
    try (Connection lock = Shipping.DATABASE.begin()) {
      lock.prepareStatement("LOCK TABLE outbox_message").execute();
      assertThatExceptionOfType(SQLException.class)
          .isThrownBy(patient::waiting)
          .satisfies(e -> assertThat(e.getSQLState()).isEqualTo("57014"));
      lock.rollback();
    }
  }

  private static DataSource patient() {
    TestServers servers = TestServers.shared();
    PGSimpleDataSource patient = new PGSimpleDataSource();
    patient.setUrl(servers.jdbcUrl("shipping"));
    patient.setUser(servers.user("shipping"));
    patient.setPassword(servers.password());
    patient.setOptions("-c statement_timeout=1h");
    return patient;
  }

  @Test
  void isHeardOfOnceWhenARelayRuns() {
    assertThat(heard.events()).isEmpty();
    depth.begin();
    depth.begin();
    assertThat(heard.events()).containsExactly(depth);
  }

  private void commit(int messages) throws Exception {
    shipping.commitSilently(
        Stream.generate(shipping::command).limit(messages).toArray(OutboxMessage[]::new));
  }
}
