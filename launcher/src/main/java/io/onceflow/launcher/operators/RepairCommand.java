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

  @Mixin private GoOptions go = new GoOptions();

  @Option(names = "--detach", description = "With --go: do not follow it until it has ended.")
  private boolean detach;

  @Override
  public Integer call() throws IOException, InterruptedException {
    boolean isGoing = go.isSaid(server);
    OperatorApi api = server.orchestrator();
    JsonNode answer = api.post(RepairText.PATH, request());
    RepairProgress progress = new RepairProgress(api, server);
    return isGoing ? progress.follow(answer, detach) : progress.foretell(answer, action.name());
  }

  private Map<String, Object> request() {
    Query request =
        new Query()
            .with("action", action.name())
            .with("filter", filters.query().values())
            .with("perSecond", perSecond)
            .with("until", until);
    return go.in(request).values();
  }
}
