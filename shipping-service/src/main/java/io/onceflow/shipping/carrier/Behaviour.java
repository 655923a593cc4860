package io.onceflow.shipping.carrier;

import io.onceflow.shipping.domain.ArrangeShipment.Address;

/** How the simulated carrier answers, by where a shipment goes. */
enum Behaviour {
  BOOKS,
  /** It does not go to Antarctica. */
  REFUSES,
  LOSES_FIRST_ANSWER,
  IS_UNAVAILABLE_TWICE,
  IS_SLOW,
  NEVER_ANSWERS;

  /** How it answers when it is to fetch something there. */
  static Behaviour ofReturn(Address address) {
    return address.postalCode().equals("SIM-NO-RETURNS") ? REFUSES : of(address);
  }

  static Behaviour of(Address address) {
    if (address.country().equals("AQ")) {
      return REFUSES;
    }
    return switch (address.postalCode()) {
      case "SIM-LOST-ANSWER" -> LOSES_FIRST_ANSWER;
      case "SIM-UNAVAILABLE-TWICE" -> IS_UNAVAILABLE_TWICE;
      case "SIM-SLOW" -> IS_SLOW;
      case "SIM-DOWN" -> NEVER_ANSWERS;
      default -> BOOKS;
    };
  }
}
