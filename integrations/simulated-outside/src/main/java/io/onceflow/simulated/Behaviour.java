package io.onceflow.simulated;

/** How a simulated system answers a request for an effect. */
public enum Behaviour {
  /** Causes the effect and answers. */
  ANSWERS,
  /** Causes the effect at the first request under a key, and answers from the second one on. */
  LOSES_FIRST_ANSWER,
  /** Fails twice under each key, then causes the effect and answers. */
  IS_UNAVAILABLE_TWICE,
  /**
   * Says three times under each key that it has not decided yet, then causes the effect and
   * answers.
   */
  SETTLES_LATER,
  /** Says for ever that it has not decided yet. */
  NEVER_SETTLES,
  /** Answers after three seconds. */
  IS_SLOW,
  /** Waits until it is interrupted. */
  NEVER_ANSWERS;

  /** What a postal code asks for, such as {@code SIM-SLOW}; usual ones ask for an answer. */
  public static Behaviour ofPostalCode(String postalCode) {
    return switch (postalCode) {
      case "SIM-LOST-ANSWER" -> LOSES_FIRST_ANSWER;
      case "SIM-UNAVAILABLE-TWICE" -> IS_UNAVAILABLE_TWICE;
      case "SIM-SLOW" -> IS_SLOW;
      case "SIM-DOWN" -> NEVER_ANSWERS;
      default -> ANSWERS;
    };
  }
}
