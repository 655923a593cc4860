package io.onceflow.launcher.operators;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A redrive or deletion of all messages that were parked for one cause. */
@Command(
    name = "group",
    description =
        "Redrives or deletes all parked messages of a group. Previews the result; with --go the"
            + " service carries it out, also if this command is ended: jobs lists how far it is.",
    sortOptions = false)
final class ParkedGroupCommand implements Callable<Integer> {

  /** What can be done to a group. */
  enum GroupAction {
    redrive,
    delete
  }

  @Mixin private Server server = new Server();

  @Parameters(index = "0", paramLabel = "ACTION", description = "One of ${COMPLETION-CANDIDATES}.")
  private GroupAction action = GroupAction.redrive;

  @Parameters(
      index = "1",
      paramLabel = "FINGERPRINT",
      description = "Of the group: groups lists it.")
  private String group = "";

  @Option(names = "--service", description = ParkedCommand.OF_SERVICE)
  private @Nullable String service;

  @Option(
      names = {"--perSecond", "--per-second"},
      paramLabel = "N",
      defaultValue = "20",
      description = "So many messages a second at most; ${DEFAULT-VALUE} by default.")
  private int perSecond;

  @Mixin private GoOptions go = new GoOptions();

  @Override
  public Integer call() throws IOException, InterruptedException {
    boolean isGoing = go.isSaid(server);
    JsonNode answer =
        ParkedPath.api(server, service).post(ParkedPath.of(server, service) + "/jobs", request());
    if (server.printed(answer)) {
      return 0;
    }
    if (isGoing) {
      server.say(
          "Job %s has started on %s messages; it continues if this command is ended"
              .formatted(Text.of(answer, "id"), Text.of(answer, "total")));
    } else {
      print(answer, server.out());
      server.remark("Nothing has been changed. With --go --because TEXT it is.");
    }
    return 0;
  }

  private Map<String, Object> request() {
    Query request =
        new Query().with("action", action.name()).with("group", group).with("perSecond", perSecond);
    return go.in(request).values();
  }

  private void print(JsonNode preview, PrintWriter out) {
    out.printf("%s would be tried on %s messages%n", action, Text.of(preview, "count"));
    if (preview.path("tooOld").asInt() > 0) {
      out.printf("Too old for a redrive: %s%n", Text.of(preview, "tooOld"));
    }
    if (!preview.path("samples").isEmpty()) {
      out.println();
      ShellTable.of(preview.path("samples"), "MESSAGE=message", "WHY NOT=why").print(out);
    }
    out.flush();
  }
}
