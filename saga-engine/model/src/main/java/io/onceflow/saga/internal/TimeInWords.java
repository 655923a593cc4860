package io.onceflow.saga.internal;

import java.time.Duration;

/** A time as people write it: {@code 1 d 12 h}. */
public final class TimeInWords {

  private TimeInWords() {}

  /** To the second. */
  public static String of(Duration time) {
    StringBuilder text = new StringBuilder();
    append(text, time.toDays(), " d ");
    append(text, time.toHoursPart(), " h ");
    append(text, time.toMinutesPart(), " min ");
    append(text, time.toSecondsPart(), " s ");
    return text.isEmpty() ? "0 s" : text.toString().strip();
  }

  private static void append(StringBuilder text, long amount, String unit) {
    if (amount > 0) {
      text.append(amount).append(unit);
    }
  }
}
