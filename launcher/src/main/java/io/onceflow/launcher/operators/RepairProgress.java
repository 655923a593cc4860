package io.onceflow.launcher.operators;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;

/** Tells what a repair would come to, or follows it and says how far it is. */
final class RepairProgress {

  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

  private static final Set<String> MOVING = Set.of("RUNNING");

  private final OperatorApi api;
  private final Server server;

  RepairProgress(OperatorApi api, Server server) {
    this.api = api;
    this.server = server;
  }

  /**
   * Tells what a repair would come to.
   *
   * @return the exit code
   */
  int foretell(JsonNode dryRun, String action) {
    if (!server.printed(dryRun)) {
      RepairText.printDryRun(dryRun, action, server.out());
      server.remark("Nothing has been changed. With --go --because TEXT it is.");
    }
    return 0;
  }

  /**
   * Follows a repair that has started, unless it is left to itself.
   *
   * @return the exit code
   */
  int follow(JsonNode repair, boolean detach) throws IOException, InterruptedException {
    String id = Text.of(repair, "id");
    server.remark("Repair %s has started; it continues if this command is ended".formatted(id));
    JsonNode last = detach ? repair : untilItRests(repair);
    if (!server.printed(last)) {
      RepairText.printOne(last, server.out());
    }
    return detach ? 0 : RepairText.exitCode(last);
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
