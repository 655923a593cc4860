package io.onceflow.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.idempotency.Caller.Answer;
import io.onceflow.idempotency.testing.TestDatabase;
import io.quarkus.test.common.http.TestHTTPResource;
import jakarta.inject.Inject;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;

/** A thing and a key of each test's own, and a look at what the database holds of them. */
public abstract class GuardedThings {

  public static final TestDatabase ORDERS = TestDatabase.migrated("orders");

  @TestHTTPResource("/")
  public URI server;

  @Inject protected Runs runs;
  @Inject Counts counts;

  public final String name = UUID.randomUUID().toString();
  public final String key = UUID.randomUUID().toString();
  public final String body = "{\"name\":\"%s\"}".formatted(name);
  public Caller ada;

  @BeforeEach
  void adaCalls() {
    ada = new Caller(server, "ada");
  }

  public long things() {
    return ORDERS.number("SELECT count(*) FROM thing WHERE name = ?", name);
  }

  long messages() {
    return ORDERS.number("SELECT count(*) FROM outbox_message WHERE aggregateid = ?", name);
  }

  public long records() {
    return ORDERS.number("SELECT count(*) FROM idempotency_record WHERE key = ?", key);
  }

  void assertKeptOnce() {
    assertThat(List.of(things(), messages(), records())).containsExactly(1L, 1L, 1L);
  }

  void assertNothingKept() {
    assertThat(List.of(things(), messages(), records())).containsExactly(0L, 0L, 0L);
  }

  public void expire() {
    assertThat(
            ORDERS.update(
                "UPDATE idempotency_record SET expires_at = now() - interval '1 s' WHERE key = ?",
                key))
        .isEqualTo(1);
  }

  /** Begins the first request and returns when its method runs; it goes on when it is opened. */
  public Future<Answer> begin(ExecutorService threads, String withBody) throws Exception {
    return begin(threads, "/things", withBody);
  }

  /** The same on another path. */
  public Future<Answer> begin(ExecutorService threads, String path, String withBody)
      throws Exception {
    runs.close(name);
    int before = runs.of(name);
    Future<Answer> first = threads.submit(() -> ada.post(path, key, withBody));
    await().until(() -> runs.of(name) > before);
    return first;
  }

  /** Makes of the key's record what a process leaves that dies in the midst of its work. */
  void dieInTheMidst() {
    assertThat(
            ORDERS.update(
                """
                UPDATE idempotency_record
                SET    status = 'STARTED', completed_at = NULL, response_status = NULL,
                       response_headers = NULL, response_body = NULL,
                       lease_expires_at = now() - interval '10 min'
                WHERE  key = ?
                """,
                key))
        .isEqualTo(1);
  }

  /** Sends the same request from many clients at the same moment. */
  List<Answer> atOnce(int clients) throws Exception {
    return atOnce(clients, () -> ada.post("/things", key, body));
  }

  /** Does the same many times at the same moment. */
  static <T> List<T> atOnce(int clients, Callable<T> what) throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<T>> answers =
          IntStream.range(0, clients)
              .mapToObj(
                  i ->
                      threads.submit(
                          () -> {
                            go.await();
                            return what.call();
                          }))
              .toList();
      go.countDown();
      List<T> all = new ArrayList<>();
      for (Future<T> answer : answers) {
        all.add(answer.get());
      }
      return all;
    }
  }
}
