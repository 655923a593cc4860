package io.onceflow.systemtests;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** How an order can end, with what then has moved outside: neither more nor less. */
enum Ending {
  CONFIRMED("CONFIRMED", null, List.of("CHARGE"), List.of("BOOKING")),
  DECLINED("CANCELLED", "PAYMENT_DECLINED", List.of(), List.of()),
  GATEWAY_DOWN("CANCELLED", "PAYMENT_UNAVAILABLE", List.of(), List.of()),
  REJECTED("CANCELLED", "SHIPMENT_REJECTED", List.of("CHARGE", "REFUND"), List.of()),
  CARRIER_DOWN("CANCELLED", "SHIPMENT_UNAVAILABLE", List.of("CHARGE", "REFUND"), List.of());

  private final String status;
  private final @Nullable String cancellationReason;
  private final List<String> gateway;
  private final List<String> carrier;

  Ending(
      String status,
      @Nullable String cancellationReason,
      List<String> gateway,
      List<String> carrier) {
    this.status = status;
    this.cancellationReason = cancellationReason;
    this.gateway = gateway;
    this.carrier = carrier;
  }

  /** Of the order. */
  String status() {
    return status;
  }

  /** Of its saga. */
  String sagaStatus() {
    return this == CONFIRMED ? "COMPLETED" : "COMPENSATED";
  }

  /** Why it is cancelled; null when it is not. */
  @Nullable String cancellationReason() {
    return cancellationReason;
  }

  /** The kinds of the entries in the gateway's ledger, oldest first. */
  List<String> gateway() {
    return gateway;
  }

  /** The kinds of the entries in the carrier's ledger, oldest first. */
  List<String> carrier() {
    return carrier;
  }
}
