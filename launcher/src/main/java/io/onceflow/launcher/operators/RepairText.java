package io.onceflow.launcher.operators;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.time.Duration;

/** Repairs as an operator reads them. */
final class RepairText {

  static final String PATH = "/sagas/repairs";

  /** A repair has ended, and not all of its sagas are repaired. */
  private static final int NOT_ALL_REPAIRED = 3;

  private RepairText() {}

  static String path(String id) {
    return PATH + "/" + id;
  }

  static int exitCode(JsonNode repair) {
    boolean all =
        switch (Text.of(repair, "status")) {
          case "FINISHED" -> done(repair, "failed") + done(repair, "refused") == 0;
          case "STOPPED" -> false;
          default -> true;
        };
    return all ? 0 : NOT_ALL_REPAIRED;
  }

  static void printDryRun(JsonNode dryRun, String action, PrintWriter out) {
    String more = dryRun.path("exact").asBoolean(true) ? "" : " or more";
    out.printf(
        "%s would be tried on %s%s: %s allow it, %s refuse%n",
        action,
        Text.of(dryRun, "count"),
        more + " sagas",
        Text.of(dryRun, "allowed"),
        Text.of(dryRun, "refused"));
    dryRun.path("warnings").forEach(it -> out.println("Warning: " + it.asText()));
    printReasons(dryRun.path("reasons"), out);
    JsonNode samples = dryRun.path("samples");
    if (!samples.isEmpty()) {
      out.println();
      ShellTable table = new ShellTable("SAGA", "ALLOWED", "PREVIEW", "WHY NOT");
      for (JsonNode sample : samples) {
        table.row(
            Text.of(sample, "saga"),
            sample.path("allowed").asBoolean() ? "yes" : "no",
            Text.of(sample, "comesTo"),
            Text.of(sample, "why"));
      }
      table.print(out);
    }
    out.flush();
  }

  static void print(JsonNode repairs, PrintWriter out) {
    if (repairs.isEmpty()) {
      out.println("None");
      out.flush();
      return;
    }
    ShellTable table =
        new ShellTable(
            "REPAIR",
            "ACTION",
            "STATUS",
            "SAGAS",
            "REPAIRED",
            "FAILED",
            "REFUSED",
            "BY",
            "STARTED",
            "BECAUSE");
    for (JsonNode repair : repairs) {
      table.row(
          Text.of(repair, "id"),
          Text.of(repair, "action"),
          Text.of(repair, "status"),
          Text.of(repair, "total"),
          Long.toString(done(repair, "repaired")),
          Long.toString(done(repair, "failed")),
          Long.toString(done(repair, "refused")),
          Text.of(repair, "startedBy"),
          Text.of(repair, "startedAt"),
          Text.of(repair, "reason"));
    }
    table.print(out);
  }

  static void printOne(JsonNode repair, PrintWriter out) {
    out.printf(
        "%s  %s  %s by %s%n",
        Text.of(repair, "id"),
        Text.of(repair, "status"),
        Text.of(repair, "action"),
        Text.of(repair, "startedBy"));
    out.println(progress(repair));
    if (Text.of(repair, "status").equals("AWAITING_APPROVAL")) {
      out.printf(
          "Another operator has to approve it: ./onceflow sagas repair-approve %s%n",
          Text.of(repair, "id"));
    }
    printReasons(repair.path("failureReasons"), out);
    out.flush();
  }

  private static void printReasons(JsonNode reasons, PrintWriter out) {
    if (!reasons.isEmpty()) {
      out.println();
      ShellTable.of(reasons, "SAGAS=count", "WHY NOT=why").print(out);
    }
  }

  static void printSagas(JsonNode sagas, PrintWriter out) {
    if (sagas.isEmpty()) {
      return;
    }
    out.println();
    ShellTable table = new ShellTable("SAGA", "OUTCOME", "AT", "WHY");
    sagas.forEach(
        it ->
            table.row(
                Text.of(it, "saga"),
                Text.of(it, "outcome"),
                Text.of(it, "at"),
                Text.of(it, "why")));
    table.print(out);
  }

  static String progress(JsonNode repair) {
    String eta = Text.of(repair, "etaMs");
    return "%s of %s repaired, %s asked, %s failed, %s refused, %s to go%s"
        .formatted(
            done(repair, "repaired"),
            Text.of(repair, "total"),
            done(repair, "requested"),
            done(repair, "failed"),
            done(repair, "refused"),
            done(repair, "pending"),
            eta.isEmpty() || eta.equals("0")
                ? ""
                : ", about %s s".formatted(Duration.ofMillis(Long.parseLong(eta)).toSeconds()));
  }

  private static long done(JsonNode repair, String what) {
    return repair.path("done").path(what).asLong();
  }
}
