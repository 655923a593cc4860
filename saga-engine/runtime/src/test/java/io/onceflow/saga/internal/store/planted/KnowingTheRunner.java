package io.onceflow.saga.internal.store.planted;

import io.onceflow.saga.internal.runtime.SagaRunner;
import org.jspecify.annotations.Nullable;

/** Breaks the rule of {@code RuntimeHouseTest}; never used. */
public final class KnowingTheRunner {
  @Nullable SagaRunner<?> runner;
}
