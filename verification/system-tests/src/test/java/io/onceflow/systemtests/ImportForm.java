package io.onceflow.systemtests;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Many orders sent at once. No two cost the same, so that one placed twice cannot pass for another.
 *
 * @param lines how many
 */
record ImportForm(int lines) {

  /** What the order at this position costs, in minor units. */
  static long amount(int position) {
    return form(position).amount();
  }

  String json() {
    return IntStream.range(0, lines)
        .mapToObj(position -> form(position).json())
        .collect(Collectors.joining(",", "{\"orders\": [", "]}"));
  }

  private static OrderForm form(int position) {
    return OrderForm.GOOD.ofBooks(position + 1);
  }
}
