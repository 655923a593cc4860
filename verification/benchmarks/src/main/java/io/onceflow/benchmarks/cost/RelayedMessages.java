package io.onceflow.benchmarks.cost;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;

/** Asks services how many messages their relays have handed to the broker. */
final class RelayedMessages {

  private static final String METER = "onceflow_outbox_relayed_total{outcome=\"confirmed\"";
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final HttpClient http = HttpClient.newHttpClient();
  private final List<URI> metrics;

  /**
   * @param metrics the services' pages of meters, such as {@code …:9000/q/metrics}
   */
  RelayedMessages(List<URI> metrics) {
    this.metrics = metrics;
  }

  /** All of them together; empty if there are no pages. */
  OptionalDouble count() throws IOException, InterruptedException {
    double sum = 0;
    for (URI page : metrics) {
      HttpRequest request = HttpRequest.newBuilder(page).timeout(PATIENCE).build();
      sum += parse(http.send(request, BodyHandlers.ofString()).body());
    }
    return metrics.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(sum);
  }

  /** The sum over a page. */
  static double parse(String page) {
    return page.lines()
        .filter(line -> line.startsWith(METER))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }
}
