package io.onceflow.outbox.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.core.internal.Backpressure;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.Shipping;
import io.onceflow.quickstart.testing.TestServers;
import io.onceflow.rabbitmq.internal.Heard;
import io.onceflow.test.internal.TestConfig;
import java.sql.Connection;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** How much waits in the outbox, for those who add to it. */
@Timeout(60)
class OutboxDepthTest {

  private static final String WAITING_LONG =
      """
      SELECT count(*)
      FROM   pg_stat_activity
      WHERE  wait_event_type = 'Lock'
      AND    query LIKE '%outbox_message%'
      AND    query_start < clock_timestamp() - interval '1 s'
      """;

  private final Shipping shipping = new Shipping();
  private final OutboxConfig config = TestConfig.outbox(Map.of("most-waiting", 20));
  private final Heard<Backpressure> heard = new Heard<>();
  private final OutboxDepth depth = new OutboxDepth(Shipping.DATABASE.source(), config, heard);

  @AfterEach
  void close() {
    Shipping.DATABASE.update("DELETE FROM outbox_message");
    shipping.close();
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
  void waitsLongerForItsFirstLookThanTheTimeoutOfOthers() throws Exception {
    commit(15);
    OutboxDepth hurried = new OutboxDepth(hurried(), config, heard);
    try (Connection lock = Shipping.DATABASE.begin();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      lock.prepareStatement("LOCK TABLE outbox_message").execute();
      Future<Long> waiting = threads.submit(() -> hurried.waiting());
      await().until(() -> Shipping.DATABASE.number(WAITING_LONG) == 1 || waiting.isDone());
      lock.rollback();
      assertThat(waiting.get()).isEqualTo(15);
    }
  }

  private static DataSource hurried() {
    TestServers servers = TestServers.shared();
    PGSimpleDataSource hurried = new PGSimpleDataSource();
    hurried.setUrl(servers.jdbcUrl("shipping"));
    hurried.setUser(servers.user("shipping"));
    hurried.setPassword(servers.password());
    hurried.setOptions("-c statement_timeout=500ms");
    return hurried;
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
