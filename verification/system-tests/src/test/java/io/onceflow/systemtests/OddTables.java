package io.onceflow.systemtests;

import java.util.List;
import java.util.Map;

/** Tables of headers that AMQP allows and that no service needs. */
final class OddTables {

  /** The headers of a message go in one frame, of 128 KiB where nothing else is agreed. */
  private static final int LARGEST = 60_000;

  private static final int DEEPEST = 200;

  private OddTables() {}

  /** Adds many headers, a long one, or one that holds tables in tables. */
  static void add(Map<String, Object> headers, Dice dice) {
    switch (dice.below(4)) {
      case 0 -> many(headers, dice.between(100, 1_500));
      case 1 -> headers.put("x-long", "x".repeat(dice.between(1_000, LARGEST)));
      case 2 -> headers.put("x-deep", nested(dice.between(1, DEEPEST), dice));
      default -> headers.put("x-bytes", dice.bytes(dice.between(1_000, LARGEST)));
    }
  }

  private static void many(Map<String, Object> headers, int number) {
    for (int i = 0; i < number; i++) {
      headers.put("x-many-" + i, "\r\n" + i);
    }
  }

  private static Object nested(int depth, Dice dice) {
    Object value = 1;
    for (int left = depth; left > 0; left--) {
      value = dice.chance(0.5) ? List.of(value) : Map.of("a", value);
    }
    return value;
  }
}
