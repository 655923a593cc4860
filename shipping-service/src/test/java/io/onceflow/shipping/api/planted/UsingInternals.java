package io.onceflow.shipping.api.planted;

import io.onceflow.core.internal.StepKey;

/** Uses what is no API of the product. */
public record UsingInternals(StepKey key) {}
