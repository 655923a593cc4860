package io.onceflow.benchmarks.saga;

import io.onceflow.benchmarks.ceiling.Ceiling;
import io.onceflow.benchmarks.drain.Drained;
import io.onceflow.benchmarks.machine.Machine;
import io.onceflow.benchmarks.saga.load.OneAlone;
import io.onceflow.benchmarks.saga.load.Times;
import io.onceflow.benchmarks.saga.report.Cell;
import io.onceflow.benchmarks.saga.report.ReportRow;
import io.onceflow.benchmarks.saga.report.Section;
import io.onceflow.benchmarks.saga.report.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Puts results into tables, with the targets.
 *
 * @param hasTargets whether results are judged: the targets are meant for RabbitMQ
 */
record Sections(boolean hasTargets) {

  /** Of complete sagas per second over the SQL ceiling, by clients. */
  private static final Map<Integer, Double> RATIOS = Map.of(32, 2.0, 128, 3.5);

  private static final double ONE_ALONE_MS = 10;
  private static final double REPLAYS_PER_SECOND = 4_000;
  private static final double RELAY_PER_SECOND = 15_000;
  private static final double OLD_ROWS_RATIO = 0.95;

  private static final double MEDIAN = 50;
  private static final double ONE_IN_HUNDRED = 99;
  private static final double ONE_IN_THOUSAND = 99.9;
  private static final double MS_IN_SECOND = 1000;

  /**
   * The closed loops.
   *
   * @param ceiling sagas per second of plain SQL; NaN if it was not measured
   */
  Section closedLoops(List<ClosedRun> runs, double ceiling) {
    return new Section(
        "closedLoop",
        "Closed loop: complete sagas per second",
        "Sagas are counted as CONFIRMED in the database, over the time until the last of them was."
            + " The load generator is a part of the same machine.",
        List.of(
            "clients",
            "sagas/s",
            "of the ceiling",
            "POST p50 ms",
            "POST p99 ms",
            "sagas",
            "generator CPU ms per saga",
            "generator % of the machine"),
        runs.stream().map(run -> closedLoop(run, ceiling)).toList());
  }

  private ReportRow closedLoop(ClosedRun run, double ceiling) {
    Double ratio = Double.isNaN(ceiling) ? null : RATIOS.get(run.clients());
    return ReportRow.of(
        Integer.toString(run.clients()),
        Integer.toString(run.clients()),
        Cell.of("sagasPerSecond", run.sagasPerSecond(), 0),
        Cell.of("ofCeiling", run.sagasPerSecond() / ceiling, 2)
            .shallBe(ratio == null ? null : target(Target.atLeast(ratio))),
        Cell.of("postP50Ms", Times.ms(run.answers().times(), MEDIAN), 1),
        Cell.of("postP99Ms", Times.ms(run.answers().times(), ONE_IN_HUNDRED), 1),
        Cell.of("sagas", run.sagas(), 0),
        Cell.of("generatorCpuMsPerSaga", run.generatorMsPerSaga(), 3),
        Cell.of("generatorPercent", run.generatorPercent(Machine.processors()), 0));
  }

  /** The open loops. */
  Section openLoops(List<OpenRun> runs) {
    return new Section(
        "openLoop",
        "Open loop: orders that arrive at a rate",
        "Times from the moment when a request was scheduled, without waiting for those before it."
            + " CONFIRMED is dated by PostgreSQL's commit timestamp.",
        List.of(
            "of the closed loop",
            "orders/s",
            "POST p50 ms",
            "p99",
            "p99.9",
            "to CONFIRMED p50 ms",
            "p99",
            "orders",
            "shed"),
        runs.stream().map(Sections::openLoop).toList());
  }

  private static ReportRow openLoop(OpenRun run) {
    Histogram posts = run.answers().times();
    String part = String.format(Locale.ROOT, "%.2f", run.part());
    return ReportRow.of(
        part,
        part,
        Cell.of("ordersPerSecond", run.perSecond(), 0),
        Cell.of("postP50Ms", Times.ms(posts, MEDIAN), 1),
        Cell.of("postP99Ms", Times.ms(posts, ONE_IN_HUNDRED), 1),
        Cell.of("postP999Ms", Times.ms(posts, ONE_IN_THOUSAND), 1),
        Cell.of("confirmedP50Ms", Times.ms(run.untilConfirmed(), MEDIAN), 1),
        Cell.of("confirmedP99Ms", Times.ms(run.untilConfirmed(), ONE_IN_HUNDRED), 1),
        Cell.of("orders", run.answers().right(), 0),
        Cell.of("shed", run.answers().shed(), 0));
  }

  /** One saga at a time. */
  Section oneAlone(OneAlone.Took took, int times) {
    return new Section(
        "oneAlone",
        "One saga alone, %d times".formatted(times),
        "From sending the request until another connection to the database sees the order"
            + " confirmed, looking every 0.2 ms.",
        List.of("from sending the request", "p50 ms", "p99 ms"),
        List.of(
            percentiles("answered", "until its answer", took.untilAnswered(), null),
            percentiles(
                "confirmed",
                "until CONFIRMED is seen",
                took.untilConfirmed(),
                target(Target.atMost(ONE_ALONE_MS)))));
  }

  private static ReportRow percentiles(
      String key, String label, Histogram times, @Nullable Target median) {
    return ReportRow.of(
        key,
        label,
        Cell.of("p50Ms", Times.ms(times, MEDIAN), 2).shallBe(median),
        Cell.of("p99Ms", Times.ms(times, ONE_IN_HUNDRED), 2));
  }

  /** Stored answers. */
  Section replays(double perSecond) {
    return new Section(
        "replays",
        "Replays of stored answers",
        "",
        List.of("", "per second"),
        List.of(
            ReportRow.of(
                "replays",
                "%d clients, each repeating finished orders".formatted(SagaPlan.USUAL_CLIENTS),
                Cell.of("perSecond", perSecond, 0)
                    .shallBe(target(Target.atLeast(REPLAYS_PER_SECOND))))));
  }

  /** Plain SQL. */
  Section ceiling(Ceiling ceiling) {
    List<ReportRow> rows = new ArrayList<>();
    ceiling
        .sagasPerSecond()
        .forEach(
            (connections, rate) ->
                rows.add(
                    ReportRow.of(
                        connections.toString(),
                        connections + " connections",
                        Cell.of("sagasPerSecond", rate, 0))));
    rows.add(
        ReportRow.of("best", "the best of them", Cell.of("sagasPerSecond", ceiling.best(), 0)));
    return new Section(
        "ceiling",
        "SQL ceiling: sagas per second of plain SQL",
        "%d statements in %d transactions for each saga, one transaction per step. No HTTP, no broker."
            .formatted(ceiling.statements(), ceiling.transactions()),
        List.of("", "sagas/s"),
        rows);
  }

  /** Messages that wait in an outbox. */
  Section relay(Drained packed, Drained singly) {
    return new Section(
        "relay",
        String.format(Locale.ROOT, "Relay: %,d messages that wait in an outbox", packed.messages()),
        "From their commit until the last was sent to a quorum queue, confirmed by the broker and deleted."
            + " The services' commands and replies go packed, up to 128 in one AMQP message; what others listen to goes one by one.",
        List.of("messages", "per second"),
        List.of(
            ReportRow.of(
                "packed",
                "packed",
                Cell.of("perSecond", packed.perSecond(), 0)
                    .shallBe(target(Target.atLeast(RELAY_PER_SECOND)))),
            ReportRow.of("singly", "one by one", Cell.of("perSecond", singly.perSecond(), 0))));
  }

  /** The same closed loop before and after the tables were filled. */
  Section oldRows(ClosedRun before, ClosedRun after, long rows) {
    return new Section(
        "oldRows",
        String.format(Locale.ROOT, "Closed loop on %,d old rows", rows),
        "Of finished sagas, in the tables that remember: answered keys, inboxes, sagas with their steps"
            + " and history.",
        List.of("clients", "sagas/s", "sagas/s just before", "ratio"),
        List.of(
            ReportRow.of(
                Integer.toString(after.clients()),
                Integer.toString(after.clients()),
                Cell.of("sagasPerSecond", after.sagasPerSecond(), 0),
                Cell.of("sagasPerSecondBefore", before.sagasPerSecond(), 0),
                Cell.of("ratio", after.sagasPerSecond() / before.sagasPerSecond(), 2)
                    .shallBe(target(Target.atLeast(OLD_ROWS_RATIO))))));
  }

  /** From the start of a process until it was ready. */
  Section startUps(Map<String, Duration> startUps) {
    return new Section(
        "startUp",
        "Start-up",
        "One after the other, migrations of an empty database included.",
        List.of("service", "seconds until ready"),
        startUps.entrySet().stream()
            .map(
                it ->
                    ReportRow.of(
                        it.getKey(),
                        it.getKey(),
                        Cell.of("seconds", it.getValue().toMillis() / MS_IN_SECOND, 1)))
            .toList());
  }

  private @Nullable Target target(Target target) {
    return hasTargets ? target : null;
  }
}
