package io.onceflow.conformance.dbos;

/** What the runtime makes a proxy of. */
public interface SuiteWorkflow {

  /** How the saga has ended: {@code COMPLETED}, or {@code COMPENSATED} and why. */
  String run(String key, boolean waits) throws Exception;
}
