package io.onceflow.launcher.operators;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.jackson2.JacksonMcpJsonMapper;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.onceflow.launcher.Main;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tools for assistants, by the SDK's own client and as a process. */
class McpCommandTest {

  private static final UUID ID = new UUID(7, 9);

  @TempDir private Path home;
  @AutoClose private final FakeApi api = new FakeApi();

  @Test
  void readsAlone() {
    api.answer("GET /sagas/" + ID, 200, "{\"status\": \"STUCK\"}");
    try (McpSyncClient client = client()) {
      assertThat(client.listTools().tools())
          .allSatisfy(tool -> assertThat(tool.annotations().readOnlyHint()).isTrue())
          .extracting(Tool::name)
          .contains(
              "sagas_list",
              "sagas_failures",
              "sagas_show",
              "sagas_repair_status",
              "parked_show",
              "replicas")
          .doesNotContain("sagas_retry", "sagas_repair", "parked_delete", "versions_hold");

      CallToolResult shown = call(client, "sagas_show", Map.of("id", ID.toString()));
      assertThat(text(shown)).isEqualToIgnoringWhitespace("{\"status\": \"STUCK\"}");
      assertThat(api.asked().getFirst().authorization()).isEqualTo("Bearer operators-token");
    }
  }

  @Test
  void changesSomethingWhereThatIsAllowedAndSaysWhy() {
    api.answer("POST /sagas/%s/retry".formatted(ID), 200, "{\"outcome\": \"sent-again\"}");
    try (McpSyncClient client = client("--allow-writes")) {
      assertThat(client.listTools().tools())
          .filteredOn(tool -> tool.name().equals("sagas_repair"))
          .singleElement()
          .satisfies(tool -> assertThat(tool.inputSchema().required()).contains("because"))
          .satisfies(tool -> assertThat(tool.annotations().destructiveHint()).isTrue());

      Map<String, Object> arguments =
          Map.of("id", ID.toString(), "because", "the bank is back --url=http://elsewhere");
      assertThat(call(client, "sagas_retry", arguments).isError()).isFalse();
      assertThat(api.asked().getFirst().body().path("reason").asText())
          .isEqualTo("the bank is back --url=http://elsewhere");
    }
  }

  /** What an assistant says reaches neither another server nor a file of this machine. */
  @Test
  void takesNoOptionAndNoFileForAValue() {
    try (McpSyncClient client = client()) {
      for (String id : List.of("--url=http://localhost:1", "@/etc/hostname", "--help")) {
        CallToolResult refused = call(client, "sagas_show", Map.of("id", id));
        assertThat(refused.isError()).isTrue();
        assertThat(text(refused)).contains("'%s' is not a UUID".formatted(id));
      }
      assertThat(api.asked()).isEmpty();
    }
  }

  private static CallToolResult call(
      McpSyncClient client, String tool, Map<String, Object> arguments) {
    return client.callTool(new CallToolRequest(tool, arguments));
  }

  private static String text(CallToolResult result) {
    return ((TextContent) result.content().getFirst()).text();
  }

  private McpSyncClient client(String... options) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "-XX:TieredStopAtLevel=1",
                "-Donceflow.home=" + home,
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "mcp"));
    arguments.addAll(List.of(options));
    ServerParameters server =
        ServerParameters.builder(Path.of(System.getProperty("java.home"), "bin/java").toString())
            .args(arguments)
            .env(Map.of("ONCEFLOW_TOKEN", "operators-token", "ONCEFLOW_URL", api.url()))
            .build();
    McpSyncClient client =
        McpClient.sync(
                new StdioClientTransport(server, new JacksonMcpJsonMapper(new ObjectMapper())))
            .requestTimeout(Duration.ofMinutes(2))
            .initializationTimeout(Duration.ofMinutes(2))
            .build();
    client.initialize();
    return client;
  }
}
