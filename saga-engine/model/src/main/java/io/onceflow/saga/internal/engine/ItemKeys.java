package io.onceflow.saga.internal.engine;

import io.onceflow.saga.ItemSteps;
import java.util.List;

/** The keys of a step's items, as its state keeps them. */
final class ItemKeys {

  /** No key holds it. */
  private static final String COMMA = ",";

  private ItemKeys() {}

  static String joined(List<String> keys) {
    return String.join(COMMA, keys);
  }

  /** In the order of the items; none before they are fixed. */
  static List<String> of(StepState step) {
    String keys = step.outcome();
    return keys == null || keys.isEmpty() ? List.of() : List.of(keys.split(COMMA));
  }

  /** The name of an item's step. */
  static String step(String step, String key) {
    return step + ItemSteps.SEPARATOR + key;
  }
}
