package io.onceflow.launcher.demo;

import java.net.URI;
import java.util.Optional;

/**
 * Where the three services are; base URLs without a path.
 *
 * @param stripe a double of Stripe, at which the payment service charges; empty where the gateway
 *     is simulated
 * @param isCarrierSimulated whether the shipping service has a simulated carrier, with a ledger
 */
public record Endpoints(
    URI orders, URI payments, URI shipments, Optional<URI> stripe, boolean isCarrierSimulated) {

  /** With a simulated gateway and carrier. */
  public Endpoints(URI orders, URI payments, URI shipments) {
    this(orders, payments, shipments, Optional.empty(), true);
  }
}
