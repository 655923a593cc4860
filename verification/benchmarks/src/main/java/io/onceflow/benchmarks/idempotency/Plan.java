package io.onceflow.benchmarks.idempotency;

import io.onceflow.benchmarks.machine.BenchBackends;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What is to be measured.
 *
 * @param stack where PostgreSQL and Redis run
 * @param clients each with one request in flight
 * @param length of each run
 * @param warmUp under load, each time the application has been started
 */
public record Plan(
    BenchBackends.Kind stack,
    List<Store> stores,
    List<Integer> clients,
    Duration length,
    Duration warmUp) {

  /** Processes of the application; most runs use one of them. */
  static final int REPLICAS = 2;

  /** The runs against one store, in order. */
  List<Scenario> scenarios(Store store) {
    List<Scenario> scenarios = new ArrayList<>();
    for (Workload workload : Workload.values()) {
      if (workload.isMeasuredWith(store)) {
        clients.forEach(many -> scenarios.add(new Scenario(workload, store, many, 1)));
      }
    }
    clients.stream()
        .filter(many -> many >= REPLICAS)
        .forEach(many -> scenarios.add(new Scenario(Workload.HERD, store, many, REPLICAS)));
    return scenarios;
  }

  int runs() {
    return stores.stream().mapToInt(store -> scenarios(store).size()).sum();
  }
}
