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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;

/** A thing and a key of each test's own, and a look at what the database holds of them. */
abstract class GuardedThings {

  static final TestDatabase ORDERS = TestDatabase.migrated("orders");

  @TestHTTPResource("/")
  URI server;

  @Inject Runs runs;

  final String name = UUID.randomUUID().toString();
  final String key = UUID.randomUUID().toString();
  final String body = "{\"name\":\"%s\"}".formatted(name);
  Caller ada;

  @BeforeEach
  void adaCalls() {
    ada = new Caller(server, "ada");
  }

  long things() {
    return ORDERS.number("SELECT count(*) FROM thing WHERE name = ?", name);
  }

  long messages() {
    return ORDERS.number("SELECT count(*) FROM outbox_message WHERE aggregateid = ?", name);
  }

  long records() {
    return ORDERS.number("SELECT count(*) FROM idempotency_record WHERE key = ?", key);
  }

  void assertKeptOnce() {
    assertThat(List.of(things(), messages(), records())).containsExactly(1L, 1L, 1L);
  }

  void assertNothingKept() {
    assertThat(List.of(things(), messages(), records())).containsExactly(0L, 0L, 0L);
  }

  void expire() {
    assertThat(
            ORDERS.update(
                "UPDATE idempotency_record SET expires_at = now() - interval '1 s' WHERE key = ?",
                key))
        .isEqualTo(1);
  }

  /** Begins the first request and returns when its method runs; it goes on when it is opened. */
  Future<Answer> begin(ExecutorService threads, String withBody) throws Exception {
    runs.close(name);
    int before = runs.of(name);
    Future<Answer> first = threads.submit(() -> ada.post("/things", key, withBody));
    await().until(() -> runs.of(name) > before);
    return first;
  }

  /** Sends the same request from many clients at the same moment. */
  List<Answer> atOnce(int clients) throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Answer>> answers =
          IntStream.range(0, clients)
              .mapToObj(
                  i ->
                      threads.submit(
                          () -> {
                            go.await();
                            return ada.post("/things", key, body);
                          }))
              .toList();
      go.countDown();
      List<Answer> all = new ArrayList<>();
      for (Future<Answer> answer : answers) {
        all.add(answer.get());
      }
      return all;
    }
  }
}
