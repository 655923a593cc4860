package io.onceflow.systemtests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Small bodies with large work: JSON that has ended services, or might. */
final class CostlyJson {

  /** In the place of a value, until the text is written. */
  private static final String HERE = "\u00abcostly\u00bb";

  private static final int LONGEST_NESTED_LIST = 195;

  /** Brackets and the like. */
  private static final int WRAPPING = 64;

  private CostlyJson() {}

  /**
   * Puts something costly in the place of a good document, or of one of its values.
   *
   * @param largest about how many bytes it may have
   */
  static byte[] of(JsonNode good, int largest, Dice dice) {
    return ofSize(good, dice.chance(0.5) ? largest : dice.between(1_000, largest), dice);
  }

  /** The same, of at most so many bytes and mostly not much less. */
  static byte[] ofSize(JsonNode good, int size, Dice dice) {
    int room = Math.max(0, size - good.toString().length() - WRAPPING);
    String text =
        switch (dice.below(4)) {
          case 0 -> value(room, dice);
          case 1 -> lists(good, room, dice);
          default -> inside(good, value(room, dice), dice);
        };
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return bytes.length <= size ? bytes : Arrays.copyOf(bytes, size);
  }

  private static String value(int size, Dice dice) {
    return switch (dice.below(10)) {
      case 0 -> list("null", size);
      case 1 -> list("{}", size);
      case 2 -> list("[]", size);
      case 3 -> nested("[", "]", size);
      case 4 -> nested("{\"a\":", "}", size);
      case 5 -> dice.oneOf(List.of("1", "-1", "0.", "1e")) + "9".repeat(size);
      case 6 ->
          "\"" + dice.oneOf(List.of("\\u0000", "\\ud800", "\\\\", "a")).repeat(size / 6) + "\"";
      case 7 -> "{\"a\":1" + ",\"a\":1".repeat(size / 6) + "}";
      case 8 -> "{" + sameHashes(Math.min(size / 20, 10_000)) + "}";
      default -> " ".repeat(size) + "{}";
    };
  }

  private static String list(String element, int size) {
    return "[" + element + ("," + element).repeat(size / (element.length() + 1)) + "]";
  }

  private static String nested(String open, String close, int size) {
    int depth = size / (open.length() + close.length());
    return open.repeat(depth) + "1" + close.repeat(depth);
  }

  /** Names that differ and have the same hash code, as "Aa" and "BB" have. */
  private static String sameHashes(int names) {
    return IntStream.range(0, names)
        .mapToObj(Integer::toBinaryString)
        .map(bits -> "0".repeat(14 - bits.length()) + bits)
        .map(bits -> "\"" + bits.replace("0", "Aa").replace("1", "BB") + "\":1")
        .collect(Collectors.joining(","));
  }

  /** Its first list with many elements, the lists in each of which hold many nulls. */
  private static String lists(JsonNode good, int size, Dice dice) {
    JsonNode tree = good.deepCopy();
    List<ArrayNode> lists = new ArrayList<>();
    collectLists(tree, lists);
    if (lists.isEmpty()) {
      return value(size, dice);
    }
    int nulls = dice.chance(0.5) ? LONGEST_NESTED_LIST : dice.between(1, 2_000);
    for (ArrayNode inner : lists.subList(1, lists.size())) {
      inner.removeAll();
      IntStream.range(0, nulls).forEach(i -> inner.addNull());
    }
    ArrayNode outer = lists.getFirst();
    JsonNode element = outer.isEmpty() ? NullNode.getInstance() : outer.get(0);
    for (int left = size / (element.toString().length() + 1); left > 0; left--) {
      outer.add(element);
    }
    return tree.toString();
  }

  private static void collectLists(JsonNode node, List<ArrayNode> lists) {
    if (node instanceof ArrayNode list) {
      lists.add(list);
    }
    node.forEach(child -> collectLists(child, lists));
  }

  /** In the place of one of its values. */
  private static String inside(JsonNode good, String value, Dice dice) {
    JsonNode tree = good.deepCopy();
    List<ObjectNode> objects = new ArrayList<>();
    collectObjects(tree, objects);
    if (objects.isEmpty()) {
      return value;
    }
    ObjectNode object = dice.oneOf(objects);
    List<String> names = new ArrayList<>(List.of("more"));
    object.fieldNames().forEachRemaining(names::add);
    object.put(dice.oneOf(names), HERE);
    return tree.toString().replace("\"" + HERE + "\"", value);
  }

  private static void collectObjects(JsonNode node, List<ObjectNode> objects) {
    if (node instanceof ObjectNode object) {
      objects.add(object);
    }
    node.forEach(child -> collectObjects(child, objects));
  }
}
