package io.onceflow.payment.gateway;

/** How the simulated gateway answers, by the payment method's token. */
enum Behaviour {
  CHARGES,
  DECLINES,
  LACKS_FUNDS,
  LOSES_FIRST_ANSWER,
  IS_UNAVAILABLE_TWICE,
  IS_SLOW,
  NEVER_ANSWERS,
  /** Declines, as a gateway does with a token that is none of its own. */
  KNOWS_NO_SUCH_METHOD;

  static Behaviour of(String paymentMethod) {
    return switch (paymentMethod) {
      case "pm_card_visa" -> CHARGES;
      case "pm_card_chargeDeclined" -> DECLINES;
      case "pm_card_chargeDeclinedInsufficientFunds" -> LACKS_FUNDS;
      case "pm_sim_lost_answer" -> LOSES_FIRST_ANSWER;
      case "pm_sim_unavailable_twice" -> IS_UNAVAILABLE_TWICE;
      case "pm_sim_slow" -> IS_SLOW;
      case "pm_sim_down" -> NEVER_ANSWERS;
      default -> KNOWS_NO_SUCH_METHOD;
    };
  }
}
