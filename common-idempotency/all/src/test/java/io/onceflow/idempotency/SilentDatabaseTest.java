package io.onceflow.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.onceflow.idempotency.Caller.Answer;
import io.onceflow.idempotency.testing.SilentDatabaseResource;
import io.onceflow.idempotency.testing.SilentProxy;
import io.onceflow.sql.Sql;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Connections to the database that are silent for good: no answer, no end of the connection. Seen
 * red: every POST waited for ever, behind one request that looked at its key.
 */
@QuarkusTest
@TestProfile(SilentDatabaseTest.BehindAProxy.class)
@Timeout(120)
@Tag("nightly")
class SilentDatabaseTest extends GuardedThings {

  /** The longest deadline of a request: its look and its commit, and a margin. */
  private static final Duration IN_TIME = Duration.ofSeconds(10);

  @Inject DataSource database;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Caller shared = SharedThings.caller(URI.create("http://localhost"));

  /** As an application is that says nothing of deadlines. */
  public static final class BehindAProxy implements QuarkusTestProfile {

    @Override
    public List<TestResourceEntry> testResources() {
      return List.of(new TestResourceEntry(SilentDatabaseResource.class));
    }

    @Override
    public Map<String, String> getConfigOverrides() {
      return Map.of(
          "quarkus.datasource.jdbc.max-size", "10",
          "onceflow.idempotency.shared.overtake-after", "PT0.3S",
          "onceflow.idempotency.shared.look-within", "PT2S",
          "onceflow.idempotency.shared.commit-within", "PT6S");
    }
  }

  private record Timed(String key, String body, Answer answer, Duration took) {}

  private static SilentProxy proxy() {
    return SilentDatabaseResource.proxy();
  }

  @AfterEach
  void serve() {
    proxy().serveNewOnes();
    threads.shutdown();
    await().atMost(Duration.ofSeconds(30)).until(() -> post().answer.status() == 201);
  }

  @Test
  void boundsComeWithTheModule() throws Exception {
    try (Connection connection = database.getConnection()) {
      assertThat(setting(connection, "statement_timeout")).isEqualTo("5s");
      assertThat(connection.getNetworkTimeout()).isEqualTo(8_000);
    }
  }

  /** After a switchover it leads to a standby, which answers all else. */
  @Test
  void aConnectionThatIsReadOnlyIsNotKept() throws Exception {
    long backend;
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      backend =
          Sql.query(connection, "SELECT pg_backend_pid()::bigint AS pid", row -> row.bigint("pid"))
              .getFirst();
      statement.execute("SET default_transaction_read_only = on");
      assertThatExceptionOfType(SQLException.class)
          .isThrownBy(() -> statement.execute("DELETE FROM thing WHERE name = 'none'"));
    }
    await()
        .until(
            () ->
                ORDERS.number("SELECT count(*) FROM pg_stat_activity WHERE pid = ?", backend) == 0);
  }

  /** A claim from an outbox that has filled up since it was last analyzed took 300 ms of it. */
  @Test
  void statementsAreNotCompiled() throws Exception {
    try (Connection connection = database.getConnection()) {
      assertThat(setting(connection, "jit")).isEqualTo("off");
    }
  }

  private static String setting(Connection connection, String name) throws SQLException {
    return Sql.query(connection, "SHOW " + name, row -> row.text(name)).getFirst();
  }

  @Test
  void oneSilentConnectionHoldsUpNobodyElse() throws Exception {
    awaitConnections();
    Future<List<Timed>> posting = threads.submit(() -> postFor(Duration.ofSeconds(8)));
    proxy().silenceNext();
    await().until(proxy()::isNextSilenced);
    List<Timed> all = posting.get();
    assertThat(all).allMatch(one -> one.took.compareTo(IN_TIME) < 0);
    // Those alone whose look or commit was on that connection. How soon, chaos measures.
    assertThat(all.stream().filter(one -> one.answer.status() != 201))
        .as("not served of %d", all.size())
        .hasSizeLessThanOrEqualTo(all.size() / 20)
        .allMatch(one -> one.answer.status() == 503);
    await().until(() -> ready() == 200);
    everyKeyIsDoneOnce(all);
  }

  @Test
  void withAllConnectionsSilentEverybodyIsToldInTimeAndAllGoesOnAfterwards() throws Exception {
    awaitConnections();
    proxy().silenceAll();
    List<Timed> all = postFor(Duration.ofSeconds(3));
    assertThat(all).allMatch(one -> one.took.compareTo(IN_TIME) < 0);
    assertThat(all)
        .allMatch(one -> one.answer.status() == 503)
        .allMatch(one -> one.answer.header("Retry-After").equals("1"));
    await().atMost(Duration.ofSeconds(10)).until(() -> ready() == 503);
    proxy().serveNewOnes();
    await().atMost(Duration.ofSeconds(15)).until(() -> ready() == 200);
    await().atMost(Duration.ofSeconds(15)).until(() -> post().answer.status() == 201);
    everyKeyIsDoneOnce(all);
  }

  /** Repeats what was not answered 201; each is done once in the end. */
  private void everyKeyIsDoneOnce(List<Timed> all) {
    for (Timed one : all) {
      if (one.answer.status() != 201) {
        await()
            .pollDelay(Duration.ZERO)
            .atMost(Duration.ofSeconds(30))
            .until(() -> caller().post("/things", one.key, one.body).status() == 201);
      }
    }
    long things =
        ORDERS.number(
            "SELECT count(*) FROM thing WHERE name = ANY (?)",
            (Object) all.stream().map(one -> one.key).toArray(String[]::new));
    assertThat(things).isEqualTo(all.size());
  }

  /** A hundred requests a second, whatever becomes of those before. */
  private List<Timed> postFor(Duration time) throws Exception {
    List<Future<Timed>> posts = new CopyOnWriteArrayList<>();
    ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    clock.scheduleAtFixedRate(
        () -> posts.add(threads.submit(this::post)), 0, 10, TimeUnit.MILLISECONDS);
    assertThat(clock.awaitTermination(time.toMillis(), TimeUnit.MILLISECONDS)).isFalse();
    clock.shutdownNow();
    List<Timed> all = new ArrayList<>();
    for (Future<Timed> post : posts) {
      all.add(post.get());
    }
    return all;
  }

  private Timed post() {
    String fresh = UUID.randomUUID().toString();
    String made = "{\"name\":\"%s\"}".formatted(fresh);
    long began = System.nanoTime();
    Answer answer = caller().post("/things", fresh, made);
    return new Timed(fresh, made, answer, Duration.ofNanos(System.nanoTime() - began));
  }

  private Caller caller() {
    return new Caller(server, shared.user(), shared.paths());
  }

  private void awaitConnections() {
    await().until(() -> post().answer.status() == 201 && ready() == 200);
  }

  private int ready() {
    return caller().send(caller().request("/q/health/ready", "").GET()).status();
  }
}
