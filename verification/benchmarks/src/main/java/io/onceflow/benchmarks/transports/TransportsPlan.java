package io.onceflow.benchmarks.transports;

import io.onceflow.benchmarks.saga.SagaPlan;
import java.util.List;

/**
 * What is compared.
 *
 * @param transports in the order in which they run
 * @param each how long each of them is warmed up and measured, and on which servers
 * @param rounds of which the medians are taken
 */
record TransportsPlan(List<Transport> transports, SagaPlan each, int rounds) {

  /** Of the closed loops of a round. */
  static final List<Integer> CLIENTS = List.of(SagaPlan.USUAL_CLIENTS, 128);

  /** Of the rate with the usual clients, at which the open loop runs. */
  static final double QUARTER = 0.25;

  /** Copies the list. */
  TransportsPlan {
    transports = List.copyOf(transports);
  }
}
