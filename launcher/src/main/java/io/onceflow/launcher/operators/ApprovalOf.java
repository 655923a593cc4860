package io.onceflow.launcher.operators;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which approval of which saga is answered. */
final class ApprovalOf {

  @Parameters(index = "0", paramLabel = "ID", description = "Of the saga.")
  private UUID id = new UUID(0, 0);

  @Parameters(index = "1", paramLabel = "NAME", description = "As the definition names it.")
  private String name = "";

  @Option(
      names = "--role",
      paramLabel = "ROLE",
      description =
          "What the definition asks for, on the local stack; elsewhere the token has its roles.")
  private Set<String> roles = Set.of();

  int answer(Server server, boolean approved, @Nullable String reason)
      throws IOException, InterruptedException {
    Map<String, Object> body = new HashMap<>();
    body.put("approved", approved);
    if (reason != null) {
      body.put("reason", reason);
    }
    JsonNode saga =
        server
            .orchestrator(roles)
            .post("/sagas/%s/approvals/%s".formatted(id, Query.encoded(name)), body);
    if (!server.printed(saga)) {
      server.say(
          "%s: %s %s; it is %s now"
              .formatted(id, approved ? "approved" : "refused", name, Text.of(saga, "status")));
    }
    return 0;
  }
}
