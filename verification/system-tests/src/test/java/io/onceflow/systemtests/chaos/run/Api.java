package io.onceflow.systemtests.chaos.run;

import io.onceflow.systemtests.chaos.stack.Replica;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;

/** The order service as its customers reach it: by any of its processes. */
final class Api {

  /** A frozen process does not answer; a customer waits no longer than this. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(2))
          .build();

  private final EntryHistory history = new EntryHistory();
  private final List<Replica> replicas;
  private final Function<String, String> tokens;

  /** An answer. */
  record Answer(int status, String body) {}

  /**
   * @param tokens makes a customer's token of their name
   */
  Api(List<Replica> replicas, Function<String, String> tokens) {
    this.replicas = replicas;
    this.tokens = tokens;
  }

  /** Sends a customer's order to any one of the processes, and records it in the history. */
  Answer place(Dealing dealing) throws IOException {
    return history.place(
        dealing.key, () -> post(dealing.customer, dealing.key, "/orders", dealing.wish.json()));
  }

  /** All orders that customers have sent. */
  EntryHistory history() {
    return history;
  }

  /** Sends a POST to any one of the processes. */
  Answer post(String customer, String key, String path, String body) throws IOException {
    return send(
        customer,
        HttpRequest.newBuilder(anywhere(path))
            .header("Idempotency-Key", key)
            .header("Content-Type", "application/json")
            .POST(body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body)));
  }

  Answer get(String customer, String path) throws IOException {
    return send(customer, HttpRequest.newBuilder(anywhere(path)).GET());
  }

  /** Sends an operator's POST without a body to one process. */
  Answer operate(Replica replica, String token, String path) throws IOException {
    return exchange(
        HttpRequest.newBuilder(URI.create(replica.url() + path)).POST(BodyPublishers.noBody()),
        token);
  }

  /** Sends an operator's POST to one process. */
  Answer operate(Replica replica, String token, String path, String json) throws IOException {
    return exchange(
        HttpRequest.newBuilder(URI.create(replica.url() + path))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(json)),
        token);
  }

  /** Sends an operator's GET to one process. */
  Answer look(Replica replica, String token, String path) throws IOException {
    return exchange(HttpRequest.newBuilder(URI.create(replica.url() + path)).GET(), token);
  }

  private URI anywhere(String path) {
    int one = ThreadLocalRandom.current().nextInt(replicas.size());
    return URI.create(replicas.get(one).url() + path);
  }

  private Answer send(String customer, HttpRequest.Builder request) throws IOException {
    return exchange(request, tokens.apply(customer));
  }

  private Answer exchange(HttpRequest.Builder request, String token) throws IOException {
    try {
      var answer =
          http.send(
              request.timeout(PATIENCE).header("Authorization", "Bearer " + token).build(),
              BodyHandlers.ofString());
      return new Answer(answer.statusCode(), answer.body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted", e);
    }
  }
}
