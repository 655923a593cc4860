package io.onceflow.core;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * A JSON value as a sender has it in mind, and every way to spell it: any order of properties, any
 * white space, any escape, any spelling of a number.
 */
public sealed interface Json {

  /** Null, true or false. */
  record Literal(String word) implements Json {}

  /** Equal in value means equal, whatever its scale. */
  record Number(BigDecimal value) implements Json {
    public Number {
      value = value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
    }
  }

  record Text(String value) implements Json {}

  record Array(List<Json> items) implements Json {}

  record Properties(Map<String, Json> byName) implements Json {}

  /** One of its spellings, chosen by chance. */
  default String spelled(Random chance) {
    return space(chance) + value(chance) + space(chance);
  }

  private String value(Random chance) {
    return switch (this) {
      case Literal(String word) -> word;
      case Number(BigDecimal value) -> number(value, chance);
      case Text(String value) -> text(value, chance);
      case Array(List<Json> items) ->
          items.isEmpty()
              ? "[" + space(chance) + "]"
              : items.stream()
                  .map(item -> item.spelled(chance))
                  .collect(Collectors.joining(",", "[", "]"));
      case Properties(Map<String, Json> byName) -> {
        List<Map.Entry<String, Json>> shuffled = new ArrayList<>(byName.entrySet());
        Collections.shuffle(shuffled, chance);
        yield shuffled.stream()
            .map(
                p ->
                    space(chance)
                        + text(p.getKey(), chance)
                        + space(chance)
                        + ":"
                        + p.getValue().spelled(chance))
            .collect(Collectors.joining(",", "{", space(chance) + "}"));
      }
    };
  }

  private static String space(Random chance) {
    return chance.nextInt(3) > 0 ? "" : List.of(" ", "\n", "\t", "\r\n  ").get(chance.nextInt(4));
  }

  /** The same value with its point moved, zeros added, or an exponent in any of its forms. */
  private static String number(BigDecimal value, Random chance) {
    int moved = chance.nextInt(41) - 20;
    BigDecimal coefficient = value.scaleByPowerOfTen(moved);
    String digits = coefficient.toPlainString();
    if (value.signum() == 0 && chance.nextBoolean()) {
      digits = "-" + digits;
    }
    if (chance.nextBoolean()) {
      digits += (digits.contains(".") ? "" : ".") + "0".repeat(1 + chance.nextInt(3));
    }
    if (moved == 0 && chance.nextBoolean()) {
      return digits;
    }
    String sign = moved > 0 ? "-" : chance.nextBoolean() ? "+" : "";
    String zeros = "0".repeat(chance.nextInt(3));
    return digits + (chance.nextBoolean() ? "e" : "E") + sign + zeros + Math.abs(moved);
  }

  private static String text(String value, Random chance) {
    StringBuilder quoted = new StringBuilder("\"");
    value
        .codePoints()
        .forEach(
            c -> {
              boolean mustBe = c < ' ' || c == '"' || c == '\\';
              if (mustBe || chance.nextInt(5) == 0) {
                // Both halves of a pair, or there would be one that stands alone.
                String hex = chance.nextBoolean() ? "\\u%04x" : "\\u%04X";
                Character.toString(c).chars().forEach(u -> quoted.append(hex.formatted(u)));
              } else {
                quoted.append(c == '/' && chance.nextBoolean() ? "\\/" : Character.toString(c));
              }
            });
    return quoted.append('"').toString();
  }
}
