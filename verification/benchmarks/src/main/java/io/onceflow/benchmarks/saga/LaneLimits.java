package io.onceflow.benchmarks.saga;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;

/**
 * Asks the services how many calls of a type may be under way at once.
 *
 * @param metrics the services' pages of meters
 */
record LaneLimits(List<URI> metrics) {

  private static final String METER = "onceflow_inbox_calls_limit{type=\"%s\"}";

  /** The largest of all services; NaN if none has made such a call. */
  double of(String type) throws IOException, InterruptedException {
    StringBuilder meters = new StringBuilder();
    try (HttpClient http = HttpClient.newHttpClient()) {
      for (URI page : metrics) {
        HttpRequest request = HttpRequest.newBuilder(page).build();
        meters.append(http.send(request, BodyHandlers.ofString()).body());
      }
    }
    return parse(meters.toString(), type);
  }

  static double parse(String meters, String type) {
    return meters
        .lines()
        .filter(line -> line.startsWith(METER.formatted(type)))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .max()
        .orElse(Double.NaN);
  }
}
