package io.onceflow.launcher.operators;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;

/** Sagas as an operator reads them. */
final class SagaText {

  private SagaText() {}

  static void print(JsonNode sagas, PrintWriter out) {
    if (sagas.isEmpty()) {
      out.println("None");
      out.flush();
      return;
    }
    ShellTable table =
        new ShellTable(
            "SAGA",
            "STATUS",
            "DEFINITION",
            "WAITS FOR",
            "TRIES",
            "STARTED",
            "CUSTOMER",
            "WITH",
            "REASON");
    for (JsonNode saga : sagas) {
      table.row(
          Text.of(saga, "id"),
          status(saga),
          definition(saga),
          Text.of(saga, "steps"),
          Text.of(saga, "attempts"),
          Text.of(saga, "startedAt"),
          saga.path("hidden").asBoolean() ? "hidden" : Text.of(saga, "customer"),
          Text.of(saga, "attributes"),
          Text.of(saga, "reason"));
    }
    table.print(out);
  }

  static void printOne(JsonNode saga, PrintWriter out) {
    out.printf("%s  %s  %s%n", Text.of(saga, "id"), status(saga), definition(saga));
    line(out, "started by", Text.of(saga, "parent"));
    line(out, "reason", Text.of(saga, "reason"));
    line(out, "started", Text.of(saga, "startedAt"));
    line(out, "ended", Text.of(saga, "endedAt"));
    line(out, "deadline", Text.of(saga, "deadlineAt"));
    line(out, "next action", Text.of(saga, "nextActionAt"));
    line(out, "quarantine", Text.of(saga, "quarantine"));
    line(out, "hold", Text.of(saga, "hold"));
    out.println();
    steps(saga).print(out);
    out.println();
    history(saga).print(out);
  }

  private static ShellTable steps(JsonNode saga) {
    ShellTable table = new ShellTable("STEP", "STATUS", "TRIES", "SENT", "ANSWERED", "UNDONE BY");
    for (JsonNode step : saga.path("steps")) {
      JsonNode undoing = step.path("compensation");
      table.row(
          Text.of(step, "name"),
          Text.of(step, "status"),
          Text.of(step, "attempts"),
          Text.of(step, "sentAt"),
          Text.of(step, "repliedAt"),
          undoing.isObject()
              ? "%s (tries: %s)%s"
                  .formatted(
                      Text.of(undoing, "name"),
                      Text.of(undoing, "attempts"),
                      undoing.path("skipped").isTextual()
                          ? " skipped " + Text.of(undoing, "skipped")
                          : "")
              : "");
    }
    return table;
  }

  private static ShellTable history(JsonNode saga) {
    ShellTable table = new ShellTable("AT", "EVENT", "STEP", "DETAIL");
    for (JsonNode entry : saga.path("history")) {
      table.row(
          Text.of(entry, "at"),
          Text.of(entry, "event"),
          Text.of(entry, "step"),
          Text.of(entry, "detail"));
    }
    return table;
  }

  private static void line(PrintWriter out, String name, String value) {
    if (!value.isEmpty()) {
      out.printf("%-12s %s%n", name, value);
    }
  }

  private static String definition(JsonNode saga) {
    return "%s v%s".formatted(Text.of(saga, "definition"), Text.of(saga, "version"));
  }

  private static String status(JsonNode saga) {
    return Text.of(saga, "status")
        + (saga.path("quarantine").isObject() ? " (quarantine)" : "")
        + (saga.path("hold").isObject() ? " (on hold)" : "");
  }
}
