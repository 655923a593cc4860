package io.onceflow.systemtests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Spoils JSON: what it says, and how it is written. */
final class JsonMutations {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** What stands for a number until the text is written, since no tree holds such a number. */
  private static final String NUMBER = "\u00abnumber:";

  private static final int DEEPEST = 3_000;

  private JsonMutations() {}

  /** A document with a few things wrong in it, or none. */
  static byte[] mutate(JsonNode good, Dice dice) {
    JsonNode tree = good.deepCopy();
    for (int left = dice.below(4); left > 0; left--) {
      tree = spoil(tree, dice);
    }
    byte[] text = text(tree, dice).getBytes(StandardCharsets.UTF_8);
    return dice.chance(0.25) ? bytes(text, dice) : text;
  }

  /** The same bytes but for a few, or without some, or with more. */
  static byte[] bytes(byte[] good, Dice dice) {
    byte[] bytes = good.clone();
    for (int left = dice.between(1, 3); left > 0 && bytes.length > 0; left--) {
      bytes = spoil(bytes, dice);
    }
    return bytes;
  }

  private static byte[] spoil(byte[] bytes, Dice dice) {
    int at = dice.below(bytes.length);
    return switch (dice.below(6)) {
      case 0 -> Arrays.copyOf(bytes, at);
      case 1 -> flip(bytes, at, 1 << dice.below(8));
      case 2 -> flip(bytes, at, dice.below(0x100));
      case 3 -> splice(bytes, at, dice.bytes(dice.between(1, 8)));
      case 4 -> splice(bytes, at, Arrays.copyOfRange(bytes, at, dice.between(at, bytes.length)));
      default -> Arrays.copyOfRange(bytes, at, bytes.length);
    };
  }

  private static byte[] flip(byte[] bytes, int at, int bits) {
    bytes[at] ^= (byte) bits;
    return bytes;
  }

  private static byte[] splice(byte[] bytes, int at, byte[] more) {
    byte[] spliced = new byte[bytes.length + more.length];
    System.arraycopy(bytes, 0, spliced, 0, at);
    System.arraycopy(more, 0, spliced, at, more.length);
    System.arraycopy(bytes, at, spliced, at + more.length, bytes.length - at);
    return spliced;
  }

  private static JsonNode spoil(JsonNode tree, Dice dice) {
    List<JsonNode> containers = new ArrayList<>();
    collect(tree, containers);
    if (containers.isEmpty() || dice.chance(0.05)) {
      return value(dice);
    }
    switch (dice.oneOf(containers)) {
      case ObjectNode object -> spoil(object, dice);
      case ArrayNode array -> spoil(array, dice);
      default -> throw new IllegalStateException("only these hold others");
    }
    return tree;
  }

  private static void collect(JsonNode node, List<JsonNode> containers) {
    if (node.isContainerNode()) {
      containers.add(node);
      node.forEach(child -> collect(child, containers));
    }
  }

  private static void spoil(ObjectNode object, Dice dice) {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    if (names.isEmpty() || dice.chance(0.15)) {
      object.set(Rubbish.text(dice), value(dice));
      return;
    }
    String name = dice.oneOf(names);
    switch (dice.below(6)) {
      case 0 -> object.remove(name);
      case 1 -> object.set(name.toUpperCase(Locale.ROOT), object.remove(name));
      case 2 -> object.set(name, object.get(dice.oneOf(names)).deepCopy());
      default -> object.set(name, value(dice));
    }
  }

  private static void spoil(ArrayNode array, Dice dice) {
    if (array.isEmpty() || dice.chance(0.3)) {
      array.add(value(dice));
    } else if (dice.chance(0.2)) {
      JsonNode item = array.get(0);
      for (int left = dice.between(1, 600); left > 0; left--) {
        array.add(item);
      }
    } else if (dice.chance(0.3)) {
      array.remove(dice.below(array.size()));
    } else {
      array.set(dice.below(array.size()), value(dice));
    }
  }

  private static JsonNode value(Dice dice) {
    return switch (dice.below(8)) {
      case 0 -> NODES.nullNode();
      case 1 -> NODES.booleanNode(dice.chance(0.5));
      case 2, 3 -> NODES.textNode(NUMBER + Rubbish.number(dice));
      case 4 -> NODES.objectNode();
      case 5 -> NODES.arrayNode();
      default -> NODES.textNode(Rubbish.text(dice));
    };
  }

  /** As text, with numbers that no library would write, properties twice and bottomless nests. */
  private static String text(JsonNode tree, Dice dice) {
    String text = halvesEscaped(tree.toString().replaceAll("\"" + NUMBER + "([^\"]*)\"", "$1"));
    if (dice.chance(0.03)) {
      int depth = dice.between(1, DEEPEST);
      String open = dice.oneOf(List.of("[", "{\"a\":"));
      String close = open.equals("[") ? "]" : "}";
      String nest = open.repeat(depth) + "1" + close.repeat(dice.chance(0.5) ? depth : 0);
      return text.startsWith("{\"") ? "{\"nest\":" + nest + "," + text.substring(1) : nest;
    }
    if (dice.chance(0.03) && text.startsWith("{\"")) {
      String first = text.substring(1, text.length() - 1);
      return "{" + first + "," + first + "}";
    }
    return text;
  }

  /** UTF-8 has no halves of surrogate pairs, and JSON has them all the same. */
  private static String halvesEscaped(String text) {
    StringBuilder escaped = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            point -> {
              if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
                escaped.append("\\u%04x".formatted(point));
              } else {
                escaped.appendCodePoint(point);
              }
            });
    return escaped.toString();
  }
}
