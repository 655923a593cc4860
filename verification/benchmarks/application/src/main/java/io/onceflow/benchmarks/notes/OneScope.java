package io.onceflow.benchmarks.notes;

import io.onceflow.core.ScopeResolver;
import jakarta.enterprise.context.ApplicationScoped;

/**
 * Everybody's keys are the benchmark's: checking tokens would be measured, and is not asked for.
 */
@ApplicationScoped
public class OneScope implements ScopeResolver {

  @Override
  public String scope() {
    return "benchmark";
  }
}
