package io.onceflow.systemtests;

import static io.restassured.RestAssured.given;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** What a service tells of itself at {@code /q/metrics}. */
final class Metrics {

  private static final Pattern OURS = Pattern.compile("(?m)^# TYPE (onceflow_\\w+) (\\w+)$");

  private Metrics() {}

  /** The names of our metrics; the greatest of a timer is part of it. */
  static Set<String> names(ServiceProcess service) {
    Set<String> names = new TreeSet<>();
    OURS.matcher(given().get(service.managementUrl() + "/q/metrics").asString())
        .results()
        .map(Metrics::name)
        .forEach(names::add);
    return names;
  }

  /**
   * A line for each time series, its name and tags with its value. It leaves no connection behind,
   * which would count among the service's open files.
   */
  static List<String> series(ServiceProcess service) {
    return given()
        .header("Connection", "close")
        .get(service.managementUrl() + "/q/metrics")
        .asString()
        .lines()
        .filter(line -> !line.isEmpty() && !line.startsWith("#"))
        .toList();
  }

  /** As one asks for it; the text names a counter with its ending or without, as it likes. */
  private static String name(MatchResult type) {
    String name = type.group(1).replaceFirst("_(max|total)$", "");
    return type.group(2).equals("counter") ? name + "_total" : name;
  }
}
