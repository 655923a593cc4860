package io.onceflow.benchmarks.timeline;

import java.util.Locale;

/**
 * A moment in the life of a saga that goes through, in their order. Each is a time that the
 * services store anyway, or PostgreSQL's note of when a row was committed.
 */
enum Stage {
  POST("POST is sent, or is due"),
  CREATED("the order service makes the order"),
  STARTED("committed, with the first command"),
  PAYMENT_TAKEN("the payment service takes the command"),
  CHARGE_WRITTEN("the gateway writes the charge"),
  CHARGE_COMMITTED("committed by the gateway"),
  PAYMENT_DECIDED("the payment service takes up the result"),
  PAYMENT_COMMITTED("committed, with the reply"),
  PAID("the order service takes the reply"),
  PAID_COMMITTED("committed, with the second command"),
  SHIPMENT_TAKEN("the shipping service takes the command"),
  BOOKING_WRITTEN("the carrier writes the booking"),
  BOOKING_COMMITTED("committed by the carrier"),
  SHIPMENT_DECIDED("the shipping service takes up the result"),
  SHIPMENT_COMMITTED("committed, with the reply"),
  SHIPPED("the order service takes the reply"),
  CONFIRMED("committed: CONFIRMED");

  private final String label;

  Stage(String label) {
    this.label = label;
  }

  /** For people. */
  String label() {
    return label;
  }

  /** For machines. */
  String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
