package io.onceflow.reconciliation.internal.difference;

import io.onceflow.reconciliation.Difference.Kind;
import io.onceflow.reconciliation.Difference.Status;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which differences are listed; null for any.
 *
 * @param before the id that the page before ended with
 */
public record DifferenceFilter(
    @Nullable Status status,
    @Nullable Kind kind,
    @Nullable String comparison,
    @Nullable UUID before) {}
