package io.onceflow.benchmarks.compare;

import io.onceflow.benchmarks.cost.SagaCost;
import io.onceflow.benchmarks.peers.PeerRun;
import io.onceflow.benchmarks.saga.report.Median;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/**
 * What one product did.
 *
 * @param runs those of each round, by clients
 * @param alone one client
 * @param aloneCost what a saga cost then, without what is spent in the time anyway
 * @param idle what a second without sagas costs
 */
record PeerResult(
    PeerName name,
    Map<Integer, List<Measurement>> runs,
    PeerRun alone,
    SagaCost aloneCost,
    SagaCost idle) {

  private static final double MICROS_IN_MS = 1_000;

  double sagasPerSecond(int clients) {
    return median(clients, it -> it.run().sagasPerSecond());
  }

  /** NaN where the clients do not wait for the end of their saga. */
  double p50Ms(int clients) {
    double p50 = median(clients, it -> it.run().p50Micros());
    return p50 == 0 ? Double.NaN : p50 / MICROS_IN_MS;
  }

  /** NaN where the clients do not wait for the end of their saga. */
  double p99Ms(int clients) {
    double p99 = median(clients, it -> it.run().p99Micros());
    return p99 == 0 ? Double.NaN : p99 / MICROS_IN_MS;
  }

  double aloneP50Ms() {
    return alone.p50Micros() / MICROS_IN_MS;
  }

  double aloneP99Ms() {
    return alone.p99Micros() / MICROS_IN_MS;
  }

  /** Of all processes of the product, without the clients of another JVM. */
  double cpuMs(int clients) {
    return median(clients, it -> it.cost().totalCpuMillis());
  }

  double cpuMs(int clients, String part) {
    return median(clients, it -> it.cost().cpuMillis().getOrDefault(part, Double.NaN));
  }

  double benchCpuMs(int clients) {
    return median(clients, Measurement::benchCpuMs);
  }

  double walBytes(int clients) {
    return median(clients, it -> it.cost().walBytes());
  }

  /** Its processes, by name. */
  Set<String> parts() {
    Set<String> parts = new TreeSet<>();
    runs.values().forEach(all -> all.forEach(it -> parts.addAll(it.cost().cpuMillis().keySet())));
    return parts;
  }

  private double median(int clients, ToDoubleFunction<Measurement> value) {
    return Median.of(runs.getOrDefault(clients, List.of()).stream().mapToDouble(value).toArray());
  }
}
