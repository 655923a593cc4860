package io.onceflow.order.api.planted;

import io.onceflow.core.internal.ScopedKey;

/** Uses what is no API of the product. */
public record UsingSagaInternals(ScopedKey key) {}
