package io.onceflow.stripedouble;

import java.util.Map;

/**
 * The payment methods that Stripe's <a href="https://docs.stripe.com/testing">test mode</a>
 * declines, with the error's code and decline code.
 *
 * @param code of the error
 * @param declineCode of the bank; the same as the code where the card itself is refused
 */
record CardDeclines(String code, String declineCode) {

  private static final CardDeclines GENERIC = new CardDeclines("card_declined", "generic_decline");

  private static final Map<String, CardDeclines> BY_METHOD =
      Map.ofEntries(
          Map.entry("pm_card_chargeDeclined", GENERIC),
          Map.entry("pm_card_visa_chargeDeclined", GENERIC),
          declined("InsufficientFunds", "card_declined", "insufficient_funds"),
          declined("LostCard", "card_declined", "lost_card"),
          declined("StolenCard", "card_declined", "stolen_card"),
          declined("ExpiredCard", "expired_card", "expired_card"),
          declined("IncorrectCvc", "incorrect_cvc", "incorrect_cvc"),
          declined("ProcessingError", "processing_error", "processing_error"),
          declined("VelocityLimitExceeded", "card_declined", "card_velocity_exceeded"));

  private static Map.Entry<String, CardDeclines> declined(
      String why, String code, String declineCode) {
    return Map.entry("pm_card_chargeDeclined" + why, new CardDeclines(code, declineCode));
  }

  static boolean includes(String paymentMethod) {
    return BY_METHOD.containsKey(paymentMethod);
  }

  static CardDeclines of(String paymentMethod) {
    return BY_METHOD.getOrDefault(paymentMethod, GENERIC);
  }
}
