package io.onceflow.saga.internal.timeline;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * When the steps of a saga were sent, arrived, started and were answered.
 *
 * @param id the saga's
 * @param steps in the order in which they were first sent
 * @param services that were asked for their part, and those that would have to be
 */
public record SagaTimeline(UUID id, List<TimelineStep> steps, List<AskedService> services) {

  /**
   * A service.
   *
   * @param answered whether it told its part
   * @param why why not, in a sentence; null where it did
   */
  @Schema(name = "AskedService")
  public record AskedService(String name, boolean answered, @Nullable String why) {}

  /**
   * Joins both sides.
   *
   * @param journal what the orchestrator knows
   * @param reports what services said; the first that knows a step is believed, but before it the
   *     one that was sent its command
   * @param self the orchestrator, whose own inbox is always asked
   */
  static SagaTimeline of(
      UUID id, List<TimelineStep> journal, List<StepReport> reports, String self) {
    return new SagaTimeline(
        id,
        journal.stream().map(step -> joined(step, reports)).toList(),
        services(journal, reports, self));
  }

  private static TimelineStep joined(TimelineStep step, List<StepReport> reports) {
    return reports.stream()
        .sorted(Comparator.comparing(report -> !report.service().equals(step.service())))
        .flatMap(
            report ->
                report.find(step.name()).map(it -> step.handled(report.service(), it)).stream())
        .findFirst()
        .orElse(step);
  }

  private static List<AskedService> services(
      List<TimelineStep> journal, List<StepReport> reports, String self) {
    List<AskedService> all = new ArrayList<>();
    reports.stream()
        .filter(report -> !report.service().equals(self))
        .map(report -> new AskedService(report.service(), report.why() == null, report.why()))
        .forEach(all::add);
    unlisted(journal, reports, self)
        .map(name -> new AskedService(name, false, "onceflow.services does not list it."))
        .forEach(all::add);
    return all;
  }

  /** Services that got commands, and of which nothing is known here. */
  private static Stream<String> unlisted(
      List<TimelineStep> journal, List<StepReport> reports, String self) {
    return journal.stream()
        .filter(step -> reports.stream().noneMatch(report -> report.find(step.name()).isPresent()))
        .map(TimelineStep::service)
        .filter(Objects::nonNull)
        .filter(name -> !name.equals(self))
        .filter(name -> reports.stream().noneMatch(report -> report.service().equals(name)))
        .distinct();
  }
}
