package io.onceflow.systemtests;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.restassured.path.json.JsonPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the dashboard and the alerts ask, asked of a Prometheus that scrapes the services. */
@SystemTest
@Timeout(value = 4, unit = TimeUnit.MINUTES)
@Tag("nightly")
class DashboardTest {

  private static final Duration SOON = Duration.ofMinutes(2);
  private static final Pattern METRIC =
      Pattern.compile("\\b(?:onceflow|http_server)_\\w+|\\bup\\b");

  /**
   * Of optional parts that do not run here: Redis, the relay that reads PostgreSQL's log, and the
   * real gateway and carrier, whose own stories say that they count.
   */
  private static final Set<String> OF_OPTIONAL_PARTS =
      Set.of(
          EasyPostStoriesTest.REQUESTS,
          StripeStoriesTest.REQUESTS,
          "onceflow_idempotency_redis_detour",
          "onceflow_idempotency_redis_unverified_total",
          "onceflow_refunds_failed");

  private final Stack stack = Stack.get();
  private final Customer customer = stack.newCustomer();
  private final Path folder = Project.output().resolve("prometheus").toAbsolutePath();
  private final String url = "http://127.0.0.1:" + Ports.next();
  private @Nullable Process prometheus;

  @AfterEach
  void stop() throws InterruptedException {
    if (prometheus != null) {
      prometheus.destroy();
      prometheus.waitFor();
    }
  }

  @Test
  void everyPanelHasDataAndEveryAlertIsAboutSomethingWherePrometheusOrDockerIsThere()
      throws IOException {
    Files.createDirectories(folder);
    Optional<PrometheusTool> tool = PrometheusTool.find("prometheus", folder);
    assumeTrue(tool.isPresent(), "neither Prometheus nor Docker is there");
    start(tool.get());
    customer.places(OrderForm.GOOD.shippedToCountry("AQ"));

    await("every panel has data")
        .atMost(SOON)
        .pollInterval(Duration.ofSeconds(3))
        .untilAsserted(
            () -> {
              // Rates are of what happens between two looks.
              customer.places(OrderForm.GOOD.paidBy("pm_sim_unavailable_twice"));
              assertThat(queries()).filteredOn(query -> !hasData(query)).isEmpty();
            });
    assertThat(metricsOfAlerts())
        .filteredOn(name -> !hasData("count(%s)".formatted(name)))
        .isSubsetOf(OF_OPTIONAL_PARTS);
  }

  private void start(PrometheusTool tool) throws IOException {
    Files.copy(
        Project.file("deploy/prometheus/alerts.yml"),
        folder.resolve("alerts.yml"),
        StandardCopyOption.REPLACE_EXISTING);
    Files.writeString(folder.resolve("prometheus.yml"), configuration());
    prometheus =
        tool.start(
            folder,
            folder.resolve("prometheus.log"),
            "--config.file=" + folder.resolve("prometheus.yml"),
            "--storage.tsdb.path=" + tool.data(folder.resolve("data")),
            "--web.listen-address=" + url.substring("http://".length()));
  }

  /**
   * As deploy/prometheus/prometheus.yml, but for where the services are, and in more of a hurry.
   */
  private String configuration() {
    StringBuilder text =
        new StringBuilder(
            """
            global: {scrape_interval: 1s, evaluation_interval: 1s}
            rule_files: [alerts.yml]
            scrape_configs:
            """);
    for (ServiceProcess service : stack.services()) {
      text.append(
          """
            - job_name: %s
              metrics_path: /q/metrics
              static_configs: [{targets: ["%s"], labels: {service: %s, product: onceflow}}]
          """
              .formatted(
                  service.name(),
                  service.managementUrl().substring("http://".length()),
                  service.name()));
    }
    return text.toString();
  }

  private static List<String> queries() {
    List<String> queries =
        JsonPath.from(Project.file("deploy/grafana/dashboards/onceflow.json").toFile())
            .getList("panels.targets.flatten().expr");
    assertThat(queries).hasSizeGreaterThan(15);
    return queries.stream().map(query -> query.replace("$service", ".*")).toList();
  }

  private static Set<String> metricsOfAlerts() throws IOException {
    Set<String> names = new TreeSet<>();
    Files.readString(Project.file("deploy/prometheus/alerts.yml"))
        .lines()
        .filter(line -> !line.contains("runbook_url:") && !line.strip().startsWith("#"))
        .flatMap(line -> METRIC.matcher(line).results())
        .forEach(found -> names.add(found.group()));
    assertThat(names).hasSizeGreaterThan(10);
    return names;
  }

  /** Whether the answer holds a number. */
  private boolean hasData(String query) {
    JsonPath answer = given().queryParam("query", query).get(url + "/api/v1/query").jsonPath();
    assertThat(answer.getString("status")).as(query).isEqualTo("success");
    List<Map<String, Object>> series = answer.getList("data.result");
    return series.stream()
        .map(one -> (List<?>) one.get("value"))
        .anyMatch(value -> !"NaN".equals(value.get(1)));
  }
}
