package io.onceflow.systemtests;

/**
 * What a customer orders: books at 12.50 EUR.
 *
 * @param quantity how many
 * @param paymentMethod decides what the simulated gateway does
 * @param postalCode decides what the simulated carrier does
 * @param country likewise
 */
record OrderForm(int quantity, String paymentMethod, String postalCode, String country) {

  private static final long UNIT_AMOUNT = 1250;

  /** Two books to London, which neither the gateway nor the carrier refuses. */
  static final OrderForm GOOD = new OrderForm(2, "pm_card_visa", "SW1Y 4JH", "GB");

  OrderForm ofBooks(int quantity) {
    return new OrderForm(quantity, paymentMethod, postalCode, country);
  }

  OrderForm paidBy(String paymentMethod) {
    return new OrderForm(quantity, paymentMethod, postalCode, country);
  }

  OrderForm shippedToPostalCode(String postalCode) {
    return new OrderForm(quantity, paymentMethod, postalCode, country);
  }

  OrderForm shippedToCountry(String country) {
    return new OrderForm(quantity, paymentMethod, postalCode, country);
  }

  /** What it costs, in minor units. */
  long amount() {
    return quantity * UNIT_AMOUNT;
  }

  String json() {
    return """
    {"currency": "EUR",
     "items": [{"sku": "BOOK-42", "quantity": %d, "unitAmount": %d}],
     "paymentMethod": "%s",
     "shippingAddress": {"name": "Ada Lovelace", "line1": "12 St James's Square",
       "city": "London", "postalCode": "%s", "country": "%s"}}
    """
        .formatted(quantity, UNIT_AMOUNT, paymentMethod, postalCode, country);
  }
}
