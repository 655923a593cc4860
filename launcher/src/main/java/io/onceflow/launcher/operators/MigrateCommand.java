package io.onceflow.launcher.operators;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Migrates open sagas from one version of a definition to another, by a repair. */
@Command(
    name = "migrate",
    description =
        "Has open sagas of one version follow another. Previews which can, and why others cannot;"
            + " with --go the service carries it out, also if this command is ended.",
    sortOptions = false)
final class MigrateCommand implements Callable<Integer> {

  @Mixin private Server server = new Server();

  @Parameters(paramLabel = "DEFINITION")
  private String definition = "";

  @Parameters(paramLabel = "FROM", description = "The version that the sagas follow.")
  private int from;

  @Parameters(
      paramLabel = "TO",
      description = "The version that they are to follow; an earlier one to undo a migration.")
  private int to;

  @Option(names = "--limit", paramLabel = "N", description = "So many at most, the oldest first.")
  private @Nullable Integer limit;

  @Option(
      names = {"--migratedBy", "--migrated-by"},
      paramLabel = "REPAIR",
      description = "Only those that this repair has migrated: to undo it.")
  private @Nullable String migratedBy;

  @Option(
      names = {"--perSecond", "--per-second"},
      paramLabel = "N",
      defaultValue = "100",
      description = "So many sagas a second at most; ${DEFAULT-VALUE} by default.")
  private int perSecond;

  @Mixin private GoOptions go = new GoOptions();

  @Option(names = "--detach", description = "With --go: do not follow it until it has ended.")
  private boolean detach;

  @Override
  public Integer call() throws IOException, InterruptedException {
    boolean isGoing = go.isSaid(server);
    OperatorApi api = server.orchestrator();
    JsonNode answer = api.post(RepairText.PATH, request());
    RepairProgress progress = new RepairProgress(api, server);
    return isGoing ? progress.follow(answer, detach) : progress.foretell(answer, "migrate");
  }

  private Map<String, Object> request() {
    Query sagas =
        new Query()
            .with("definition", definition)
            .with("version", from)
            .with("open", true)
            .with("repair", migratedBy);
    Query request =
        new Query()
            .with("action", "migrate")
            .with("version", to)
            .with("filter", sagas.values())
            .with("limit", limit)
            .with("perSecond", perSecond);
    return go.in(request).values();
  }
}
