package io.onceflow.conformance;

import java.util.function.Consumer;

/**
 * One thing that a product has to do.
 *
 * @param id stable, for links
 * @param evidence that is required
 * @param check returns if the claim holds
 */
record SagaScenario(String id, String claim, String evidence, Consumer<TestedSaga> check) {}
