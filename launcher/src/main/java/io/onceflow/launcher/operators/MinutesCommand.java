package io.onceflow.launcher.operators;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What sagas did over the last hours, and the outcomes of each step. */
@Reads
@Command(
    name = "minutes",
    description = {
      "Shows over the last hours how many sagas started and ended and how long they took,",
      "then for each step how many entered it, with which outcome, and how long it took.",
      "Times are in milliseconds. Steps are those of the last day at most."
    })
public final class MinutesCommand implements Callable<Integer> {

  @Mixin private Server server;

  @Option(names = "--hours", defaultValue = "1", description = "How far back, ${DEFAULT-VALUE}.")
  private int hours;

  @Option(names = "--definition", paramLabel = "NAME", description = "Of one definition alone.")
  private @Nullable String definition;

  @Override
  public Integer call() throws IOException, InterruptedException {
    JsonNode minutes =
        server.orchestrator().get(new Query().with("hours", hours).after("/sagas/minutes"));
    if (!server.printed(minutes)) {
      points(minutes.path("points")).print(server.out());
      server.out().println();
      steps(minutes.path("steps")).print(server.out());
    }
    return 0;
  }

  private ShellTable points(JsonNode points) {
    ShellTable table =
        new ShellTable(
            "FROM", "DEFINITION", "STARTED", "COMPLETED", "COMPENSATED", "P50", "P95", "P99");
    each(
        points,
        it ->
            table.row(
                Text.of(it, "at"),
                Text.of(it, "definition"),
                Text.of(it, "started"),
                Text.of(it, "completed"),
                Text.of(it, "compensated"),
                Text.of(it, "p50Ms"),
                Text.of(it, "p95Ms"),
                Text.of(it, "p99Ms")));
    return table;
  }

  private ShellTable steps(JsonNode steps) {
    ShellTable table =
        new ShellTable(
            "DEFINITION",
            "STEP",
            "ENTERED",
            "DONE",
            "REFUSED",
            "TIMED OUT",
            "STUCK",
            "SENT AGAIN",
            "P50",
            "P95",
            "P99");
    each(
        steps,
        it ->
            table.row(
                Text.of(it, "definition"),
                Text.of(it, "step"),
                Text.of(it, "entered"),
                Text.of(it, "done"),
                Text.of(it, "refused"),
                Text.of(it, "givenUp"),
                Text.of(it, "stuck"),
                Text.of(it, "sentAgain"),
                Text.of(it, "p50Ms"),
                Text.of(it, "p95Ms"),
                Text.of(it, "p99Ms")));
    return table;
  }

  private void each(JsonNode rows, Consumer<JsonNode> row) {
    for (JsonNode it : rows) {
      if (definition == null || definition.equals(Text.of(it, "definition"))) {
        row.accept(it);
      }
    }
  }
}
