package io.onceflow.order.domain;

/**
 * What has become of an order.
 *
 * <pre>
 * PENDING ──saga completed──▶ CONFIRMED ──return completed──▶ RETURNED
 *    └─────saga compensated─▶ CANCELLED
 * </pre>
 */
public enum OrderStatus {
  /** Its saga is under way. */
  PENDING,
  /** Paid, and its shipment is arranged. */
  CONFIRMED,
  /** Undone: nothing is charged and nothing is shipped. */
  CANCELLED,
  /** Given back: its money is returned. */
  RETURNED
}
