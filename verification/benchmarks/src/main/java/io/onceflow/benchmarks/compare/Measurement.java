package io.onceflow.benchmarks.compare;

import io.onceflow.benchmarks.cost.SagaCost;
import io.onceflow.benchmarks.peers.PeerRun;

/**
 * One run and its cost.
 *
 * @param cost for each saga
 * @param benchCpuMs processor time of the benchmark's own JVM for each saga; it has the clients of
 *     Onceflow and Restate
 */
record Measurement(PeerRun run, SagaCost cost, double benchCpuMs) {}
