package io.onceflow.launcher.demo;

/** The body of {@code POST /orders}: two books for 25 EUR, with what makes the stories differ. */
record OrderForm(int quantity, String paymentMethod, String country) {

  /** The price of one book, in cents. */
  static final int UNIT_AMOUNT = 1250;

  /** A valid order, which no participant refuses. */
  static final OrderForm GOOD = new OrderForm(2, "pm_card_visa", "GB");

  OrderForm paidBy(String method) {
    return new OrderForm(quantity, method, country);
  }

  OrderForm shippedTo(String otherCountry) {
    return new OrderForm(quantity, paymentMethod, otherCountry);
  }

  OrderForm ofBooks(int otherQuantity) {
    return new OrderForm(otherQuantity, paymentMethod, country);
  }

  /** What the customer owes, in cents. */
  int amount() {
    return quantity * UNIT_AMOUNT;
  }

  String json() {
    return """
    {"currency": "EUR",
     "items": [{"sku": "BOOK-42", "quantity": %s, "unitAmount": %s}],
     "paymentMethod": "%s",
     "shippingAddress": {"name": "Ada Lovelace", "line1": "12 St James's Square",
       "city": "London", "postalCode": "SW1Y 4JH", "country": "%s"}}
    """
        .formatted(quantity, UNIT_AMOUNT, paymentMethod, country);
  }
}
