package io.onceflow.systemtests.chaos.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.systemtests.chaos.stack.Cluster;
import io.onceflow.systemtests.chaos.stack.Replica;
import io.onceflow.systemtests.chaos.world.World;
import java.io.IOException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Alters some of the books, and has the services compare theirs, as an operator does. */
final class BookComparison {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration TAKES_AT_MOST = Duration.ofMinutes(2);
  private static final long ASK_EVERY_MS = 200;

  private static final int PAGE = 100;

  /** Each with the service that makes it. */
  private static final Map<String, String> COMPARISONS =
      Map.of(
          "payments-gateway", "payment-service",
          "shipments-carrier", "shipping-service",
          "orders-payments", "order-service",
          "orders-shipments", "order-service");

  private final Cluster cluster;
  private final Api api;
  private final PlantedDifferences plants;

  BookComparison(Cluster cluster, Api api, Tables tables, long seed) {
    this.cluster = cluster;
    this.api = api;
    this.plants = new PlantedDifferences(tables, cluster, seed);
  }

  /** The world, and what was planted in it and found. */
  World compare(World world) throws IOException {
    cluster.gateway().calm();
    cluster.carrier().calm();
    Set<World.Difference> planted = plants.plant(world.orders());
    Set<World.Difference> found = new HashSet<>();
    for (Map.Entry<String, String> comparison : COMPARISONS.entrySet()) {
      Replica replica = cluster.all(comparison.getValue()).getFirst();
      LocalDate today = LocalDate.now(ZoneOffset.UTC);
      run(replica, comparison.getKey(), today.minusDays(1));
      run(replica, comparison.getKey(), today);
      found.addAll(open(replica, comparison.getKey()));
    }
    return world.compared(planted, found);
  }

  private void run(Replica replica, String comparison, LocalDate day) throws IOException {
    JsonNode run =
        read(
            api.operate(
                replica,
                token(),
                "/reconciliations",
                "{\"comparison\": \"%s\", \"day\": \"%s\"}".formatted(comparison, day)),
            202);
    String path = "/reconciliations/" + run.path("id").asText();
    long giveUpAt = System.nanoTime() + TAKES_AT_MOST.toNanos();
    while (!run.hasNonNull("finishedAt")) {
      if (System.nanoTime() - giveUpAt > 0) {
        throw new IOException("%s of %s does not end: %s".formatted(comparison, day, run));
      }
      Pauses.of(ASK_EVERY_MS);
      run = read(api.look(replica, token(), path), 200);
    }
    if (!run.path("status").asText().equals("COMPLETED")) {
      throw new IOException("%s of %s has failed: %s".formatted(comparison, day, run));
    }
  }

  private Set<World.Difference> open(Replica replica, String comparison) throws IOException {
    Set<World.Difference> open = new HashSet<>();
    String list =
        "/reconciliation-differences?status=OPEN&limit=%d&comparison=%s"
            .formatted(PAGE, comparison);
    String cursor = "";
    do {
      JsonNode page = read(api.look(replica, token(), list + cursor), 200);
      for (JsonNode it : page.path("differences")) {
        open.add(
            new World.Difference(
                comparison, it.path("kind").asText(), it.path("reference").asText()));
      }
      cursor = page.hasNonNull("next") ? "&cursor=" + page.path("next").asText() : "";
    } while (!cursor.isEmpty());
    return open;
  }

  private String token() {
    return cluster.issuer().operator();
  }

  private static JsonNode read(Api.Answer answer, int status) throws IOException {
    if (answer.status() != status) {
      throw new IOException("A comparison was answered " + answer);
    }
    return JSON.readTree(answer.body());
  }
}
