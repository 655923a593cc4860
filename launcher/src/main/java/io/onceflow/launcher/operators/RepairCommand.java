package io.onceflow.launcher.operators;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** An action on every saga that a filter finds. */
@Command(
    name = "repair",
    description =
        "Applies an action to every saga that the filter finds. Previews the result; with --go the"
            + " service carries it out, also if this command is ended.",
    sortOptions = false)
final class RepairCommand implements Callable<Integer> {

  /** What can be done to many sagas. */
  enum Action {
    retry,
    compensate,
    cancel,
    hold,
    resume
  }

  @Mixin private Server server = new Server();
  @Mixin private SagaFilters filters = new SagaFilters();

  @Parameters(paramLabel = "ACTION", description = "One of ${COMPLETION-CANDIDATES}.")
  private Action action = Action.retry;

  @Option(names = "--because", paramLabel = "TEXT", description = "For the audit; needed by --go.")
  private @Nullable String because;

  @Option(
      names = "--until",
      paramLabel = "TIME",
      description = "Of hold: when they are resumed by themselves, ISO 8601 in UTC.")
  private @Nullable String until;

  @Option(
      names = {"--perSecond", "--per-second"},
      paramLabel = "N",
      defaultValue = "20",
      description = "So many sagas a second at most; ${DEFAULT-VALUE} by default.")
  private int perSecond;

  @Option(names = "--go", description = "Carry it out, and tell how it goes until it has ended.")
  private boolean go;

  @Option(names = "--detach", description = "With --go: do not wait for its end.")
  private boolean detach;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (go && (because == null || because.isBlank())) {
      throw server.wrongCommandLine("--go needs --because TEXT: the audit log keeps why");
    }
    OperatorApi api = server.orchestrator();
    JsonNode answer = api.post(RepairText.PATH, request());
    RepairProgress progress = new RepairProgress(api, server);
    return go ? progress.follow(answer, detach) : progress.foretell(answer, action.name());
  }

  private Map<String, Object> request() {
    Map<String, Object> request = new HashMap<>();
    request.put("action", action.name());
    request.put("filter", filters.query().values());
    request.put("perSecond", perSecond);
    request.put("dryRun", !go);
    if (until != null) {
      request.put("until", until);
    }
    if (because != null) {
      request.put("reason", because);
    }
    return request;
  }
}
