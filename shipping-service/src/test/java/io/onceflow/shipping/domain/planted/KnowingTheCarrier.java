package io.onceflow.shipping.domain.planted;

import io.onceflow.shipping.carrier.SimulatedCarrierResource;
import org.jspecify.annotations.Nullable;

/**
 * Breaks two rules of the house on purpose: the domain knows no carrier but its port, and packages
 * form no cycle.
 */
public class KnowingTheCarrier {

  @Nullable SimulatedCarrierResource ledger;
}
