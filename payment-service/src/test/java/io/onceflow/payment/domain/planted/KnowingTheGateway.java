package io.onceflow.payment.domain.planted;

import io.onceflow.payment.gateway.SimulatedGatewayResource;
import org.jspecify.annotations.Nullable;

/**
 * Breaks two rules of the house on purpose: the domain knows no gateway but its port, and packages
 * form no cycle.
 */
public class KnowingTheGateway {

  @Nullable SimulatedGatewayResource ledger;
}
