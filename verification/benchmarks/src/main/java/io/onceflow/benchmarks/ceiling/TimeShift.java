package io.onceflow.benchmarks.ceiling;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Moves the times in recorded parameters to later. Replayed as they were, the times at which a
 * service looks after a saga would be in the past before long, and idle services would lend a hand.
 */
final class TimeShift {

  private static final Pattern TIME =
      Pattern.compile("(\\d{4}-\\d{2}-\\d{2})([ T])(\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?)(\\+00|Z)");

  private TimeShift() {}

  static RecordedSaga shift(RecordedSaga saga, Duration by) {
    return new RecordedSaga(saga.steps().stream().map(step -> shift(step, by)).toList());
  }

  private static RecordedStep shift(RecordedStep step, Duration by) {
    return new RecordedStep(
        step.name(),
        step.database(),
        step.statements().stream()
            .map(it -> new RecordedStatement(it.sql(), shift(it.parameters(), by), it.queryId()))
            .toList());
  }

  private static List<@Nullable String> shift(List<@Nullable String> values, Duration by) {
    List<@Nullable String> shifted = new ArrayList<>();
    for (String value : values) {
      shifted.add(value == null ? null : TIME.matcher(value).replaceAll(time -> later(time, by)));
    }
    return shifted;
  }

  private static String later(MatchResult time, Duration by) {
    Instant later = Instant.parse(time.group(1) + "T" + time.group(3) + "Z").plus(by);
    String text = later.toString();
    return text.substring(0, text.length() - 1).replace("T", time.group(2)) + time.group(4);
  }
}
