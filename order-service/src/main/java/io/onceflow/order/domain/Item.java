package io.onceflow.order.domain;

/**
 * One line of an order.
 *
 * @param sku what is ordered
 * @param quantity how many, at least 1
 * @param unitAmount price of one, in minor units of the order's currency, at least 1
 */
public record Item(String sku, int quantity, long unitAmount) {

  /** Price of the line, in minor units. */
  public long amount() {
    return Math.multiplyExact(unitAmount, (long) quantity);
  }
}
