package io.onceflow.conformance;

/**
 * One thing that a saga has to do.
 *
 * @param id stable, for links
 * @param sentence what is claimed
 * @param evidence what has to be seen for it
 * @param isAlone whether it kills or replaces the worker, so that no other scenario runs beside it
 */
public record SagaScenario(
    String id, String sentence, String evidence, boolean isAlone, Check check) {

  /** Runs the scenario; returns if it holds. */
  @FunctionalInterface
  public interface Check {
    void run(Trial trial);
  }

  static SagaScenario of(String id, String sentence, String evidence, Check check) {
    return new SagaScenario(id, sentence, evidence, false, check);
  }

  static SagaScenario alone(String id, String sentence, String evidence, Check check) {
    return new SagaScenario(id, sentence, evidence, true, check);
  }
}
