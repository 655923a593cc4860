package io.onceflow.saga.internal.store.minute;

import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** Reads {@code saga_step_minute}, added up to longer spans. */
public final class StepSeries {

  private static final String FAILURES =
      """
      SELECT date_bin(make_interval(mins => ?), minute, 'epoch') AS at, definition, step,
             sum(refused)::bigint AS refused, sum(given_up)::bigint AS given_up,
             sum(stuck)::bigint AS stuck, sum(sent_again)::bigint AS sent_again
      FROM   saga_step_minute
      WHERE  minute >= ?
      AND    refused + given_up + stuck + sent_again > 0
      GROUP  BY at, definition, step
      ORDER  BY at, definition, step
      """;

  private static final String FUNNEL =
      """
      SELECT definition, step,
             sum(entered)::bigint AS entered, sum(done)::bigint AS done,
             sum(refused)::bigint AS refused, sum(given_up)::bigint AS given_up,
             sum(stuck)::bigint AS stuck, sum(sent_again)::bigint AS sent_again
      FROM   saga_step_minute
      WHERE  minute >= ?
      GROUP  BY definition, step
      ORDER  BY definition, step
      """;

  private static final String DURATIONS =
      """
      SELECT date_bin(make_interval(mins => ?), minute, 'epoch') AS at, definition, step,
             number::int - 1 AS bucket, sum(answered)::bigint AS answered
      FROM   saga_step_minute, unnest(durations) WITH ORDINALITY AS its (answered, number)
      WHERE  minute >= ?
      AND    answered > 0
      GROUP  BY at, definition, step, number
      """;

  private StepSeries() {}

  /**
   * What failed of a step within a span; a span in which nothing did has none.
   *
   * @param refused by its participant
   * @param givenUp for lack of an answer
   * @param stuck since its message, or that of its compensation, was sent too often
   * @param sentAgain for lack of an answer so far
   */
  @Schema(name = "FailuresOfStep")
  public record Failures(
      Instant at,
      String definition,
      String step,
      long refused,
      long givenUp,
      long stuck,
      long sentAgain) {}

  /**
   * How many sagas entered a step, by its outcome. Those that wait for its answer are neither done
   * nor refused nor timed out.
   *
   * @param entered sagas that reached it; of a step with items, each item counts
   * @param done with the answer that was asked for
   * @param refused by its participant
   * @param givenUp for lack of an answer; it may have been done
   * @param stuck since its message, or that of its compensation, was sent too often
   * @param sentAgain for lack of an answer so far
   * @param p50Ms half of those that were answered took no longer since the command was sent first,
   *     to about a tenth; null where none was
   * @param p95Ms 95 of 100 of them, likewise
   * @param p99Ms 99 of 100 of them, likewise
   */
  @Schema(name = "FunnelOfStep")
  public record Funnel(
      String definition,
      String step,
      long entered,
      long done,
      long refused,
      long givenUp,
      long stuck,
      long sentAgain,
      @Nullable Long p50Ms,
      @Nullable Long p95Ms,
      @Nullable Long p99Ms) {}

  /** How long a step took that was answered within a span, as {@link Funnel} has it. */
  @Schema(name = "DurationsOfStep")
  public record Durations(
      Instant at,
      String definition,
      String step,
      @Nullable Long p50Ms,
      @Nullable Long p95Ms,
      @Nullable Long p99Ms) {}

  /**
   * Both are of the same time.
   *
   * @param funnels by step
   * @param durations by span and step
   */
  public record Steps(List<Funnel> funnels, List<Durations> durations) {}

  private record Of(String definition, String step) {

    static Of of(Row row) throws SQLException {
      return new Of(row.text("definition"), row.text("step"));
    }
  }

  private record At(Instant at, Of of) {}

  /** Of all steps of which something failed. */
  public static List<Failures> failures(Connection tx, Instant from, int minutes)
      throws SQLException {
    return Sql.query(
        tx,
        FAILURES,
        row ->
            new Failures(
                row.time("at"),
                row.text("definition"),
                row.text("step"),
                row.bigint("refused"),
                row.bigint("given_up"),
                row.bigint("stuck"),
                row.bigint("sent_again")),
        minutes,
        from);
  }

  /** Of all steps that something happened to. */
  public static Steps steps(Connection tx, Instant from, int minutes) throws SQLException {
    Map<At, SortedMap<Integer, Long>> spans = new HashMap<>();
    Map<Of, SortedMap<Integer, Long>> all = new HashMap<>();
    Sql.query(tx, DURATIONS, row -> put(row, spans, all), minutes, from);
    List<Durations> durations = new ArrayList<>();
    spans.forEach((at, its) -> durations.add(durations(at, its)));
    durations.sort(
        Comparator.comparing(Durations::at)
            .thenComparing(Durations::definition)
            .thenComparing(Durations::step));
    return new Steps(Sql.query(tx, FUNNEL, row -> funnel(row, all), from), durations);
  }

  private static Of put(
      Row row, Map<At, SortedMap<Integer, Long>> spans, Map<Of, SortedMap<Integer, Long>> all)
      throws SQLException {
    Of of = Of.of(row);
    At at = new At(row.time("at"), of);
    int bucket = row.integer("bucket");
    long answered = row.bigint("answered");
    spans.computeIfAbsent(at, it -> new TreeMap<>()).put(bucket, answered);
    all.computeIfAbsent(of, it -> new TreeMap<>()).merge(bucket, answered, Long::sum);
    return of;
  }

  private static Durations durations(At at, SortedMap<Integer, Long> its) {
    return new Durations(
        at.at,
        at.of.definition,
        at.of.step,
        DurationBuckets.percentile(its, 0.5),
        DurationBuckets.percentile(its, 0.95),
        DurationBuckets.percentile(its, 0.99));
  }

  private static Funnel funnel(Row row, Map<Of, SortedMap<Integer, Long>> all) throws SQLException {
    Of of = Of.of(row);
    SortedMap<Integer, Long> its = all.getOrDefault(of, new TreeMap<>());
    return new Funnel(
        of.definition,
        of.step,
        row.bigint("entered"),
        row.bigint("done"),
        row.bigint("refused"),
        row.bigint("given_up"),
        row.bigint("stuck"),
        row.bigint("sent_again"),
        DurationBuckets.percentile(its, 0.5),
        DurationBuckets.percentile(its, 0.95),
        DurationBuckets.percentile(its, 0.99));
  }
}
