package io.onceflow.systemtests;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Replicas of a service behind a load balancer of the plainest kind: it sends requests round to
 * those that say they are ready, looking every so often, and sends one again to the next only when
 * its connection failed. What a replica answers is the answer.
 */
final class Replicas implements AutoCloseable {

  private static final Duration LOOK_EVERY = Duration.ofMillis(100);
  private static final Duration ANSWERED_WITHIN = Duration.ofSeconds(20);
  private static final int MOST_TRIES = 6;

  private final List<ServiceProcess> all;
  private final Set<ServiceProcess> ready = ConcurrentHashMap.newKeySet();
  private final AtomicInteger turn = new AtomicInteger();
  private final AtomicInteger sentAgain = new AtomicInteger();
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(2))
          .build();
  private final ScheduledExecutorService looks = Executors.newScheduledThreadPool(2);

  Replicas(List<ServiceProcess> all) {
    this.all = List.copyOf(all);
    all.forEach(
        replica ->
            looks.scheduleWithFixedDelay(
                () -> look(replica), 0, LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS));
  }

  private void look(ServiceProcess replica) {
    if (replica.isReady()) {
      ready.add(replica);
    } else {
      ready.remove(replica);
    }
  }

  /** How often a request was sent again because its connection had failed. */
  int sentAgain() {
    return sentAgain.get();
  }

  /**
   * Sends a POST.
   *
   * @throws IOException when no replica could be reached
   */
  HttpResponse<String> post(String path, String token, String key, String json)
      throws IOException, InterruptedException {
    IOException failure = new IOException("no replica is ready");
    for (int attempt = 0; attempt < MOST_TRIES; attempt++) {
      try {
        return http.send(
            HttpRequest.newBuilder(URI.create(next().url() + path))
                .timeout(ANSWERED_WITHIN)
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", "\"" + key + "\"")
                .POST(BodyPublishers.ofString(json))
                .build(),
            BodyHandlers.ofString());
      } catch (IOException e) {
        failure = e;
        sentAgain.incrementAndGet();
      }
    }
    throw failure;
  }

  /** The next of those that are ready; of all, while none has said so. */
  private ServiceProcess next() {
    List<ServiceProcess> candidates = all.stream().filter(ready::contains).toList();
    List<ServiceProcess> some = candidates.isEmpty() ? all : candidates;
    return some.get(Math.floorMod(turn.getAndIncrement(), some.size()));
  }

  @Override
  public void close() {
    looks.shutdownNow();
    http.shutdownNow();
  }
}
