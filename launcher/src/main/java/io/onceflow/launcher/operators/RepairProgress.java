package io.onceflow.launcher.operators;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;

/** Follows a repair and says how far it is whenever that has changed. */
final class RepairProgress {

  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

  private static final Set<String> MOVING = Set.of("RUNNING");

  private final OperatorApi api;
  private final Server server;

  RepairProgress(OperatorApi api, Server server) {
    this.api = api;
    this.server = server;
  }

  /** Returns the repair once it has ended, was paused, or waits for a second operator. */
  JsonNode untilItRests(JsonNode begun) throws IOException, InterruptedException {
    JsonNode repair = begun;
    String told = "";
    while (MOVING.contains(Text.of(repair, "status"))) {
      String line = RepairText.progress(repair);
      if (!line.equals(told)) {
        server.remark(line);
        told = line;
      }
      Thread.sleep(BETWEEN_LOOKS);
      repair = api.get(RepairText.path(Text.of(begun, "id")));
    }
    return repair;
  }
}
