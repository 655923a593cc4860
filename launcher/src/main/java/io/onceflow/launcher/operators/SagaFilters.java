package io.onceflow.launcher.operators;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which sagas: the options have the names of the API's query parameters. */
final class SagaFilters {

  @Option(names = "--status", description = "RUNNING, COMPENSATING, STUCK, COMPLETED, ...")
  private @Nullable String status;

  @Option(
      names = "--open",
      arity = "0..1",
      fallbackValue = "true",
      description = "Those that have not ended.")
  private @Nullable Boolean open;

  @Option(names = "--definition", description = "Such as place-order.")
  private @Nullable String definition;

  @Option(names = "--version", description = "Of the definition.")
  private @Nullable Integer version;

  @Option(names = "--step", description = "The step that is waited for.")
  private @Nullable String step;

  @Option(names = "--direction", description = "forward: wait for the step, or backward.")
  private @Nullable String direction;

  @Option(
      names = "--command",
      description = "The routing key that is waited for, or its first word: payment.")
  private @Nullable String command;

  @Option(
      names = "--failure",
      paramLabel = "FINGERPRINT",
      description = "Those of a group of sagas failures.")
  private @Nullable String failure;

  @Option(names = "--reason", description = "Why they ended or are being undone.")
  private @Nullable String reason;

  @Option(
      names = "--quarantined",
      arity = "0..1",
      fallbackValue = "true",
      description = "Those that could not be handled again and again.")
  private @Nullable Boolean quarantined;

  @Option(
      names = "--held",
      arity = "0..1",
      fallbackValue = "true",
      description = "Those that operators hold.")
  private @Nullable Boolean held;

  @Option(
      names = "--overdue",
      arity = "0..1",
      fallbackValue = "true",
      description = "Those that are late for their next action or deadline.")
  private @Nullable Boolean overdue;

  @Option(
      names = {"--olderThan", "--older-than"},
      paramLabel = "DURATION",
      description = "Started at least so long ago, ISO 8601: PT1H.")
  private @Nullable String olderThan;

  @Option(
      names = {"--startedAfter", "--started-after"},
      paramLabel = "TIME",
      description = "ISO 8601 in UTC: 2026-01-31T10:00:00Z.")
  private @Nullable String startedAfter;

  @Option(
      names = {"--startedBefore", "--started-before"},
      paramLabel = "TIME",
      description = "Likewise.")
  private @Nullable String startedBefore;

  @Option(names = "--customer", description = "Whose sagas.")
  private @Nullable String customer;

  @Option(
      names = "--attribute",
      paramLabel = "NAME:VALUE",
      description = "One that the definition declares as searchable.")
  private @Nullable String attribute;

  /** Only what was asked for. */
  Query query() {
    return new Query()
        .with("status", status)
        .with("open", open)
        .with("definition", definition)
        .with("version", version)
        .with("step", step)
        .with("direction", direction)
        .with("command", command)
        .with("failure", failure)
        .with("reason", reason)
        .with("quarantined", quarantined)
        .with("held", held)
        .with("overdue", overdue)
        .with("olderThan", olderThan)
        .with("startedAfter", startedAfter)
        .with("startedBefore", startedBefore)
        .with("customer", customer)
        .with("attribute", attribute);
  }
}
