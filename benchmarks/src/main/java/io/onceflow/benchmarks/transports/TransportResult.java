package io.onceflow.benchmarks.transports;

import io.onceflow.benchmarks.saga.load.Times;
import io.onceflow.benchmarks.saga.report.Median;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * What was measured of one transport.
 *
 * @param rates sagas per second of each round, by clients
 * @param cpuMillis of all processes but the load generator, per saga of each round, by clients
 * @param alone until CONFIRMED, one saga at a time
 * @param quarter until CONFIRMED, at a quarter of its rate
 */
record TransportResult(
    Transport transport,
    Map<Integer, List<Double>> rates,
    Map<Integer, List<Double>> cpuMillis,
    Latency alone,
    Latency quarter) {

  /** Percentiles, in milliseconds. */
  record Latency(double p50, double p99) {

    private static final int MEDIAN = 50;
    private static final int ONE_IN_HUNDRED = 99;

    /** Of times in microseconds. */
    static Latency of(Histogram times) {
      return new Latency(Times.ms(times, MEDIAN), Times.ms(times, ONE_IN_HUNDRED));
    }
  }

  /** Sagas per second. */
  double rate(int clients) {
    return Median.of(rates.getOrDefault(clients, List.of()));
  }

  double cpuMs(int clients) {
    return Median.of(cpuMillis.getOrDefault(clients, List.of()));
  }
}
