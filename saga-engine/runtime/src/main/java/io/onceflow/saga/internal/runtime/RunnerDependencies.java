package io.onceflow.saga.internal.runtime;

import java.time.Clock;

/**
 * What every runner works with.
 *
 * @param application the orchestrator's name, the beginning of its sagas' origins
 */
record RunnerDependencies(
    SagaMessages messages,
    CountedSagaStore store,
    Clock clock,
    SagaConfig config,
    String application) {}
