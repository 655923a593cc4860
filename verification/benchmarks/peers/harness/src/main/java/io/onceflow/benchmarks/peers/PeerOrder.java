package io.onceflow.benchmarks.peers;

/**
 * An order, with what the order service's requests hold.
 *
 * @param id is also the saga's idempotency key
 * @param amount in minor units
 * @param country a shipment to {@link #REFUSED_COUNTRY} is refused
 */
public record PeerOrder(
    String id,
    String currency,
    String sku,
    long amount,
    String paymentMethod,
    String name,
    String line1,
    String city,
    String postalCode,
    String country) {

  /** Where the carrier does not go. */
  public static final String REFUSED_COUNTRY = "AQ";

  /** An order that is confirmed, or one whose shipment is refused. */
  public static PeerOrder of(String id, boolean isRefused) {
    return new PeerOrder(
        id,
        "EUR",
        "BOOK-42",
        2_500,
        "pm_card_visa",
        "Ada Lovelace",
        "12 St James's Square",
        "London",
        "SW1Y 4JH",
        isRefused ? REFUSED_COUNTRY : "GB");
  }

  /** As JSON. None of the values has to be escaped. */
  public String json() {
    return """
    {"id":"%s","currency":"%s","sku":"%s","amount":%d,"paymentMethod":"%s","name":"%s","line1":"%s",\
    "city":"%s","postalCode":"%s","country":"%s"}\
    """
        .formatted(
            id, currency, sku, amount, paymentMethod, name, line1, city, postalCode, country);
  }
}
