package io.onceflow.inbox.oracle;

import java.util.Locale;

/** An action and its compensation. */
enum Step {
  CHARGE("take-money"),
  REFUND("give-money-back");

  private final String key;

  Step(String key) {
    this.key = key;
  }

  /** The last word of its step key. */
  String key() {
    return key;
  }

  /** What the specification calls it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
