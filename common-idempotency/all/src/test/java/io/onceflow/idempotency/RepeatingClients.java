package io.onceflow.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.idempotency.Caller.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Clients that take up new keys one after the other and repeat each, together with others and later
 * again, as clients do whose network is bad.
 */
public final class RepeatingClients implements AutoCloseable {

  /** So many keys back a client may come with a repeat. */
  private static final int MEMORY = 30;

  private final Caller caller;
  private final Runs runs;
  private final String name;
  private final AtomicInteger newest = new AtomicInteger();
  private final Map<String, ConcurrentLinkedQueue<Answer>> answers = new ConcurrentHashMap<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Future<?>> clients = new ArrayList<>();
  private volatile boolean isStopped;

  public RepeatingClients(Caller caller, Runs runs, String name, int number) {
    this.caller = caller;
    this.runs = runs;
    this.name = name;
    for (int i = 0; i < number; i++) {
      clients.add(threads.submit(this::callAgainAndAgain));
    }
  }

  /** Returns when so many more keys were taken up. */
  public void awaitMoreKeys(int number) {
    int goal = newest.get() + number;
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> newest.get() >= goal || clients.stream().anyMatch(Future::isDone));
  }

  /** Lets each finish what it does, then asks for every key once more. */
  public void stop() throws Exception {
    isStopped = true;
    for (Future<?> client : clients) {
      client.get();
    }
    answers
        .keySet()
        .forEach(key -> await().pollDelay(Duration.ZERO).until(() -> call(key).status() != 409));
  }

  public int keys() {
    return answers.size();
  }

  public void assertEachRanOnceAndGotOneAnswer() {
    answers.forEach(
        (key, told) -> {
          assertThat(told).extracting(Answer::status).as(key).isSubsetOf(201, 409);
          List<Answer> done = told.stream().filter(answer -> answer.status() == 201).toList();
          assertThat(done.stream().map(Answer::text).distinct()).as(key).hasSize(1);
          assertThat(done.stream().filter(answer -> !answer.isReplay())).as(key).hasSize(1);
          assertThat(runs.of(key)).as(key).isEqualTo(1);
        });
  }

  @Override
  public void close() {
    isStopped = true;
    threads.close();
  }

  private void callAgainAndAgain() {
    while (!isStopped) {
      ThreadLocalRandom random = ThreadLocalRandom.current();
      boolean isNew = random.nextInt(4) == 0;
      int number = isNew ? newest.incrementAndGet() : newest.get() - random.nextInt(MEMORY);
      if (number > 0) {
        call(name + "-" + number);
      }
    }
  }

  private Answer call(String key) {
    Answer answer = caller.post("/things", key, "{\"name\":\"%s\"}".formatted(key));
    answers.computeIfAbsent(key, k -> new ConcurrentLinkedQueue<>()).add(answer);
    return answer;
  }
}
