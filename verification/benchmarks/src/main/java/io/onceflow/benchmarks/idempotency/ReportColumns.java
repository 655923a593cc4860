package io.onceflow.benchmarks.idempotency;

/** The heads of the report's tables. */
final class ReportColumns {

  private static final String COST_HEAD =
      " CPU ms per answer | busy connections mean / max | waiting for a lock mean / max"
          + " | keys | executions |\n";

  static final String HEAD =
      "| guard | clients | answers/s | p50 ms | p99 ms |"
          + COST_HEAD
          + "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n";

  static final String HERD_HEAD =
      "| guard | processes | clients | herds/s | all answered p50 ms | all answered p99 ms"
          + " | one answer p50 ms | one answer p99 ms |"
          + COST_HEAD
          + "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n";

  private ReportColumns() {}

  /** What stands between client and handler, in a word or two. */
  static String guard(Scenario scenario) {
    return switch (scenario.workload()) {
      case UNGUARDED -> "none";
      case OWN_KEYS_LEASED -> scenario.store().spelling() + ", leased";
      case OWN_KEYS, HERD, REPEATS -> scenario.store().spelling();
    };
  }
}
