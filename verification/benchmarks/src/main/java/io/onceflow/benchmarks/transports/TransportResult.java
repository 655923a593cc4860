package io.onceflow.benchmarks.transports;

import io.onceflow.benchmarks.cost.SagaCost;
import io.onceflow.benchmarks.saga.load.Times;
import io.onceflow.benchmarks.saga.report.Median;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/**
 * What was measured of one transport.
 *
 * @param rates sagas per second of each round, by clients
 * @param costs per saga of each round, by clients; without the load generator
 * @param alone until CONFIRMED, one saga at a time
 * @param quarter until CONFIRMED, at a quarter of its rate
 */
record TransportResult(
    Transport transport,
    Map<Integer, List<Double>> rates,
    Map<Integer, List<SagaCost>> costs,
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

  /** Processor time of a saga. */
  double cpuMs(int clients) {
    return cost(clients, SagaCost::totalCpuMillis);
  }

  /** What PostgreSQL writes into its log for a saga, in thousands of bytes. */
  double walKb(int clients) {
    return cost(clients, cost -> cost.walBytes() / 1000);
  }

  private double cost(int clients, ToDoubleFunction<SagaCost> of) {
    return Median.of(
        costs.getOrDefault(clients, List.of()).stream().map(of::applyAsDouble).toList());
  }
}
