package io.onceflow.launcher.operators;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Definitions and their versions: which run where, which are started, and holds. */
@Command(
    name = "versions",
    description =
        "Lists definitions with their versions, chooses the version of new sagas, migrates open ones,"
            + " holds definitions.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = MigrateCommand.class,
    footerHeading = "%nExit codes%n",
    footer = {
      "0  done",
      "1  refused, not found or not reachable; what was wrong is on standard error",
      "2  the command line is wrong"
    })
public final class VersionsCommand {

  private static final String PATH = "/sagas/definitions";

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  private boolean help;

  @Reads
  @Command(
      name = "list",
      description = "Lists versions: who starts them, who knows them, how many sagas are left.")
  int list(@Mixin Server server) throws IOException, InterruptedException {
    JsonNode definitions = server.orchestrator().get(PATH);
    if (!server.printed(definitions)) {
      ShellTable table = table();
      definitions.forEach(it -> rows(it, table));
      table.print(server.out());
    }
    return 0;
  }

  @Command(
      name = "start",
      description = "Has a share of the new sagas follow a version; open ones keep theirs.")
  int start(
      @Mixin Server server,
      @Parameters(paramLabel = "DEFINITION") String definition,
      @Parameters(paramLabel = "VERSION") int version,
      @Option(
              names = "--share",
              paramLabel = "N",
              defaultValue = "100",
              description = "Of a hundred new sagas; ${DEFAULT-VALUE} by default.")
          int share,
      @Option(names = "--because", paramLabel = "TEXT", description = "For the audit.")
          @Nullable String because)
      throws IOException, InterruptedException {
    Query said = new Query().with("version", version).with("share", share).with("reason", because);
    return act(server, definition, "start-version", said);
  }

  @Command(name = "back", description = "Has all new sagas follow the configured version again.")
  int back(
      @Mixin Server server,
      @Parameters(paramLabel = "DEFINITION") String definition,
      @Option(names = "--because", paramLabel = "TEXT", description = "For the audit.")
          @Nullable String because)
      throws IOException, InterruptedException {
    // Which version is meant does not matter where none follows it.
    return act(
        server,
        definition,
        "start-version",
        new Query().with("version", 1).with("share", 0).with("reason", because));
  }

  @Command(
      name = "hold",
      description = "Holds a definition: nothing is sent for its sagas until it is resumed.")
  int hold(
      @Mixin Server server,
      @Parameters(paramLabel = "DEFINITION") String definition,
      @Option(
              names = "--until",
              paramLabel = "TIME",
              description = "When it is resumed by itself, ISO 8601 in UTC: 2026-01-31T10:00:00Z.")
          @Nullable String until,
      @Option(names = "--because", paramLabel = "TEXT", description = "For the audit.")
          @Nullable String because)
      throws IOException, InterruptedException {
    Query said = new Query().with("reason", because).with("until", until);
    return act(server, definition, "hold", said);
  }

  @Command(name = "resume", description = "Resumes a definition that is on hold.")
  int resume(
      @Mixin Server server,
      @Parameters(paramLabel = "DEFINITION") String definition,
      @Option(names = "--because", paramLabel = "TEXT", description = "For the audit.")
          @Nullable String because)
      throws IOException, InterruptedException {
    return act(server, definition, "resume", new Query().with("reason", because));
  }

  private static int act(Server server, String definition, String action, Query said)
      throws IOException, InterruptedException {
    String path = "%s/%s/%s".formatted(PATH, Query.encoded(definition), action);
    JsonNode now = server.orchestrator().post(path, said.values());
    if (!server.printed(now)) {
      ShellTable table = table();
      rows(now, table);
      table.print(server.out());
    }
    return 0;
  }

  private static ShellTable table() {
    return new ShellTable("DEFINITION", "VERSION", "NEW SAGAS", "OPEN", "KNOWN BY", "STATE");
  }

  private static void rows(JsonNode definition, ShellTable table) {
    for (JsonNode version : definition.path("versions")) {
      table.row(
          Text.of(definition, "name"),
          Text.of(version, "version"),
          Text.of(version, "share") + " %",
          Text.of(version, "open"),
          "%s of %s".formatted(Text.of(version, "knownBy"), Text.of(definition, "replicas")),
          state(definition, version));
    }
  }

  private static String state(JsonNode definition, JsonNode version) {
    JsonNode hold = definition.path("hold");
    if (hold.isObject()) {
      return "on hold by %s: %s".formatted(Text.of(hold, "by"), Text.of(hold, "reason"));
    }
    return version.path("drained").asBoolean() ? "drained" : "";
  }
}
