package io.onceflow.benchmarks.saga.report;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One figure, or some words in its place.
 *
 * @param key by which machines find it in its row
 * @param value NaN if it was not measured, and for words
 * @param decimals how many people are shown
 * @param target what it shall be, if that is said
 * @param words empty for a figure
 */
public record Cell(String key, double value, int decimals, @Nullable Target target, String words) {

  /** A figure without a target. */
  public static Cell of(String key, double value, int decimals) {
    return new Cell(key, value, decimals, null, "");
  }

  /** Words. */
  public static Cell words(String key, String words) {
    return new Cell(key, Double.NaN, 0, null, words);
  }

  /** The same with a target. */
  public Cell shallBe(@Nullable Target wanted) {
    return new Cell(key, value, decimals, wanted, words);
  }

  boolean isMissed() {
    return target != null && !target.isMetBy(value);
  }

  boolean isMeasured() {
    return !Double.isNaN(value);
  }

  /** For people, always with a decimal point, independent of the machine's locale. */
  String text() {
    return isMeasured() ? String.format(Locale.ROOT, "%,." + decimals + "f", value) : words;
  }
}
