package io.onceflow.quickstart.demo;

import java.net.URI;
import java.util.Optional;

/**
 * Where the three services are; base URLs without a path.
 *
 * @param stripe a double of Stripe, at which the payment service charges; empty where the gateway
 *     is simulated
 */
public record Endpoints(URI orders, URI payments, URI shipments, Optional<URI> stripe) {

  /** With a simulated gateway. */
  public Endpoints(URI orders, URI payments, URI shipments) {
    this(orders, payments, shipments, Optional.empty());
  }
}
