package io.onceflow.systemtests.chaos.run;

import java.util.List;
import java.util.Random;

/**
 * What a customer does with one order.
 *
 * @param quantity of books
 * @param paymentMethod decides what the simulated gateway does
 * @param postalCode decides what the simulated carrier does
 * @param country likewise
 * @param twins how often the POST is sent at the same moment at first
 * @param repeats whether it is sent once more when it was answered
 * @param cancelAfterMs when it is cancelled, after its answer; negative for not at all
 * @param thinkMs before the next order
 */
record Wish(
    int quantity,
    String paymentMethod,
    String postalCode,
    String country,
    int twins,
    boolean repeats,
    int cancelAfterMs,
    int thinkMs) {

  static final long UNIT_AMOUNT = 1250;

  private static final String GOOD_CARD = "pm_card_visa";

  /** The recipient of every shipment. */
  static final String RECIPIENT = "Ada Lovelace";

  private static final String LONDON = "SW1Y 4JH";

  /** A call to a gateway or carrier that is down takes very long, and others wait behind it. */
  private static final int ONE_DOWN_IN = 150;

  private static final List<String> ODD_CARDS =
      List.of(
          "pm_sim_slow",
          "pm_sim_lost_answer",
          "pm_sim_unavailable_twice",
          "pm_card_chargeDeclined");

  private static final List<String> ODD_POSTAL_CODES =
      List.of("SIM-SLOW", "SIM-LOST-ANSWER", "SIM-UNAVAILABLE-TWICE");

  /** Most orders are ordinary. */
  static Wish draw(Random random) {
    return new Wish(
        random.nextInt(1, 10),
        draw(random, GOOD_CARD, ODD_CARDS, "pm_sim_down"),
        draw(random, LONDON, ODD_POSTAL_CODES, "SIM-DOWN"),
        random.nextInt(20) == 0 ? "AQ" : "GB",
        random.nextInt(6) == 0 ? 2 : 1,
        random.nextInt(8) == 0,
        random.nextInt(3) == 0 ? random.nextInt(4_000) * random.nextInt(1, 3) : -1,
        random.nextInt(300));
  }

  /** An order that is confirmed. */
  static Wish ordinary(Random random) {
    return new Wish(random.nextInt(1, 10), GOOD_CARD, LONDON, "GB", 1, false, -1, 0);
  }

  /** An order of one book, paid by this card. */
  static Wish of(String paymentMethod) {
    return new Wish(1, paymentMethod, LONDON, "GB", 1, false, -1, 0);
  }

  private static String draw(Random random, String good, List<String> odd, String down) {
    if (random.nextInt(ONE_DOWN_IN) == 0) {
      return down;
    }
    return random.nextInt(4) == 0 ? odd.get(random.nextInt(odd.size())) : good;
  }

  long amount() {
    return quantity * UNIT_AMOUNT;
  }

  String json() {
    return """
    {"currency": "EUR",
     "items": [{"sku": "BOOK-42", "quantity": %d, "unitAmount": %d}],
     "paymentMethod": "%s",
     "shippingAddress": {"name": "%s", "line1": "12 St James's Square",
       "city": "London", "postalCode": "%s", "country": "%s"}}
    """
        .formatted(quantity, UNIT_AMOUNT, paymentMethod, RECIPIENT, postalCode, country);
  }
}
