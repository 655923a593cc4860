package io.onceflow.benchmarks.compare;

import io.onceflow.benchmarks.machine.BenchBackends;
import java.time.Duration;
import java.util.List;

/**
 * What is compared.
 *
 * @param peers in the order in which they run
 * @param stack where PostgreSQL and the broker run
 * @param clients of the closed loops of a round
 * @param rounds of which the medians are taken
 * @param length of each run
 * @param warmUpAtLeast continues for at least so long
 * @param warmUpAtMost ends then, even if the rate still rises
 */
public record ComparePlan(
    List<PeerName> peers,
    BenchBackends.Kind stack,
    List<Integer> clients,
    int rounds,
    Duration length,
    Duration warmUpAtLeast,
    Duration warmUpAtMost) {

  /** Copies the lists. */
  public ComparePlan {
    peers = List.copyOf(peers);
    clients = List.copyOf(clients);
  }
}
