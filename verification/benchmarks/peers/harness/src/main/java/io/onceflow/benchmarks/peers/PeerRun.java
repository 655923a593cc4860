package io.onceflow.benchmarks.peers;

import java.util.Map;

/**
 * What the clients of one run saw.
 *
 * @param sagas that ended as they had to
 * @param compensated of them
 * @param wrong that failed, or ended otherwise
 * @param elapsedMicros from the first start until the last saga had ended
 * @param p50Micros from a saga's start until its client knew of its end
 * @param p99Micros of the same; both 0 where clients do not wait for that
 */
public record PeerRun(
    long sagas, long compensated, long wrong, long elapsedMicros, long p50Micros, long p99Micros) {

  static final String NAME = "peer-run";

  private static final double MICROS_IN_SECOND = 1e6;

  /** Sagas that ended, compensated ones too. */
  public double sagasPerSecond() {
    return sagas * MICROS_IN_SECOND / Math.max(1, elapsedMicros);
  }

  PeerLine line() {
    return new PeerLine(
        NAME,
        Map.of(
            "sagas",
            sagas,
            "compensated",
            compensated,
            "wrong",
            wrong,
            "elapsed",
            elapsedMicros,
            "p50",
            p50Micros,
            "p99",
            p99Micros));
  }

  /** Reads what a peer's process wrote. */
  public static PeerRun of(PeerLine line) {
    return new PeerRun(
        line.value("sagas"),
        line.value("compensated"),
        line.value("wrong"),
        line.value("elapsed"),
        line.value("p50"),
        line.value("p99"));
  }
}
