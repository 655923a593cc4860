package io.onceflow.systemtests;

import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Texts and numbers that are known to cause faults. */
final class Rubbish {

  private static final List<String> TEXTS =
      List.of(
          "",
          " ",
          "\t",
          "\0",
          "a\0b",
          "\u0001\u001f\u007f",
          "\r\nX-Injected: yes",
          "\ud800",
          "\udfff\ud800",
          "\ufeff",
          "\ufffe\uffff",
          "\u202egnirts",
          "e\u0301\u0301\u0301\u0301",
          "\ud83d\udc69\u200d\ud83d\udc69\u200d\ud83d\udc67",
          "\u0130\u0131\u00df",
          "null",
          "undefined",
          "true",
          "NaN",
          "-0",
          "1e999999999",
          "0x10",
          "١٢٣",
          "' OR 1=1 --",
          "\\u0000",
          "%00",
          "%",
          "%zz",
          "%ff%fe",
          "%2e%2e%2f",
          "../../../../etc/passwd",
          "${jndi:ldap://127.0.0.1/a}",
          "#{1+1}",
          "%s%s%s%n%x",
          "<script>alert(1)</script>",
          "{\"a\":1}",
          "[]",
          "2026-13-45T99:99:99Z",
          "+1000000000-12-31T23:59:59Z",
          "00000000-0000-0000-0000-000000000000",
          "ffffffff-ffff-ffff-ffff-ffffffffffff",
          "1-1-1-1-1",
          "not-a-uuid",
          "\"",
          "\\",
          ";",
          ",",
          "*",
          "#",
          ":");

  private static final List<String> NUMBERS =
      List.of(
          "0",
          "-0",
          "-1",
          "1",
          "1.5",
          "1e2",
          "1E400",
          "-1e-400",
          "2147483647",
          "2147483648",
          "-2147483649",
          "9223372036854775807",
          "9223372036854775808",
          "-9223372036854775809",
          "123456789012345678901234567890",
          "0.1000000000000000055511151231257827",
          "1e1000000000",
          "01",
          "+1",
          ".5",
          "1.",
          "NaN",
          "Infinity");

  private Rubbish() {}

  /** Mostly one that is known to trouble, else a random one, now and then a long one. */
  static String text(Dice dice) {
    return switch (dice.below(10)) {
      case 0 -> random(dice, dice.between(1, 40));
      case 1 -> random(dice, dice.between(200, 3_000));
      case 2 ->
          dice.oneOf(List.of("A", "é", "\ud83d\ude00", "\"", "\\", "\0"))
              .repeat(dice.between(1, 3_000));
      case 3 -> new UUID(dice.any(), dice.any()).toString();
      default -> dice.oneOf(TEXTS);
    };
  }

  /** As it would stand in JSON, where some of them must not stand. */
  static String number(Dice dice) {
    return dice.chance(0.8) ? dice.oneOf(NUMBERS) : Long.toString(dice.any());
  }

  /** Of any characters there are, halves of surrogate pairs among them. */
  static String random(Dice dice, int length) {
    return IntStream.range(0, length)
        .mapToObj(i -> (char) (dice.chance(0.7) ? dice.below(0x80) : dice.below(0x10000)))
        .map(String::valueOf)
        .collect(Collectors.joining());
  }
}
