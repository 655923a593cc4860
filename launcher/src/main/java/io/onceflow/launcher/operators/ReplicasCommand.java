package io.onceflow.launcher.operators;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.concurrent.Callable;
import java.util.stream.StreamSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The processes that run sagas. */
@Reads
@Command(
    name = "replicas",
    description = "Lists the replicas: builds, versions that they know, loops, connections, heap.",
    footerHeading = "%nExit codes%n",
    footer = {
      "0  done",
      "1  not reachable or not allowed; what was wrong is on standard error",
      "2  the command line is wrong"
    })
public final class ReplicasCommand implements Callable<Integer> {

  private static final long MIB = 1 << 20;

  @Mixin private Server server;

  @Override
  public Integer call() throws IOException, InterruptedException {
    JsonNode replicas = server.orchestrator().get("/sagas/replicas");
    if (!server.printed(replicas)) {
      ShellTable table =
          new ShellTable(
              "HOST",
              "BUILD",
              "STARTED",
              "STATE",
              "ROLES",
              "KNOWS",
              "LACKS",
              "SLOWEST LOOP",
              "CONNECTIONS",
              "HEAP");
      replicas.forEach(it -> row(it, table));
      table.print(server.out());
    }
    return 0;
  }

  private static void row(JsonNode replica, ShellTable table) {
    table.row(
        Text.of(replica, "host"),
        Text.of(replica, "build"),
        Text.of(replica, "startedAt"),
        replica.path("living").asBoolean()
            ? "living"
            : "not seen since " + Text.of(replica, "seenAt"),
        Text.of(replica, "roles"),
        Text.of(replica, "knows"),
        Text.of(replica, "lacks"),
        slowest(replica),
        connections(replica.path("connections")),
        heap(replica.path("heap")));
  }

  /** The loop whose last turn was the longest ago when the replica was seen. */
  private static String slowest(JsonNode replica) {
    return StreamSupport.stream(replica.path("loops").spliterator(), false)
        .min(Comparator.comparing(it -> time(it, "lastTurnAt")))
        .map(
            it ->
                "%s %s s"
                    .formatted(
                        Text.of(it, "name"),
                        Duration.between(time(it, "lastTurnAt"), time(replica, "seenAt"))
                            .toSeconds()))
        .orElse("");
  }

  private static Instant time(JsonNode object, String member) {
    return Instant.parse(object.path(member).asText());
  }

  private static String connections(JsonNode counted) {
    return counted.isObject()
        ? "%s of %s".formatted(Text.of(counted, "inUse"), Text.of(counted, "most"))
        : "";
  }

  private static String heap(JsonNode heap) {
    return heap.isObject()
        ? "%s of %s MiB"
            .formatted(heap.path("used").asLong() / MIB, heap.path("most").asLong() / MIB)
        : "";
  }
}
