package io.onceflow.reconciliation.internal.book;

import static java.time.temporal.ChronoUnit.MICROS;

import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * After which entry a page starts of a book whose pages follow the time.
 *
 * @param at to the microsecond, as PostgreSQL keeps it
 * @param id tells entries of one microsecond apart
 */
record TimeCursor(Instant at, long id) {

  private static final Pattern FORM = Pattern.compile("(-?\\d{1,17})_(-?\\d{1,19})");

  /** Before all entries of this time. */
  static TimeCursor before(Instant time) {
    return new TimeCursor(time, Long.MIN_VALUE);
  }

  /**
   * @throws IllegalArgumentException where the text is none
   */
  static TimeCursor of(String text) {
    Matcher parts = FORM.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException("this is no time and number: " + text);
    }
    return new TimeCursor(
        Instant.EPOCH.plus(Long.parseLong(parts.group(1)), MICROS), Long.parseLong(parts.group(2)));
  }

  String text() {
    return MICROS.between(Instant.EPOCH, at) + "_" + id;
  }
}
