package io.onceflow.benchmarks.saga.load;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Histograms of times, in microseconds. */
public final class Times {

  private static final long LONGEST_MICROS = TimeUnit.MINUTES.toMicros(10);
  private static final int DIGITS = 3;
  private static final double MICROS_IN_MS = 1000;

  private Times() {}

  static Histogram histogram() {
    return new Histogram(LONGEST_MICROS, DIGITS);
  }

  static void record(Histogram times, long nanos) {
    recordMicros(times, TimeUnit.NANOSECONDS.toMicros(nanos));
  }

  /** Clocks are read in different processes, so what took no time may seem to have taken less. */
  static void recordMicros(Histogram times, long micros) {
    times.recordValue(Math.clamp(micros, 0, LONGEST_MICROS));
  }

  /** A percentile in milliseconds; NaN when nothing was recorded. */
  public static double ms(Histogram times, double percentile) {
    return times.getTotalCount() == 0
        ? Double.NaN
        : times.getValueAtPercentile(percentile) / MICROS_IN_MS;
  }

  static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }
}
