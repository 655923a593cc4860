package io.onceflow.core;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Provide;
import net.jqwik.api.domains.DomainContextBase;

/** Where the properties' values come from. */
public class Jsons extends DomainContextBase {

  private static final int DEEPEST = 4;
  private static final int MOST_ITEMS = 4;
  private static final int LONGEST_TEXT = 6;

  /** Characters that must be escaped, may be, or only look as if. */
  private static final int[] AWKWARD = {
    0, '\n', 0x1f, '"', '\\', '/', 0x7f, 0xe9, 0x301, 0x2028, 0xfeff, 0xffff, 0x10000, 0x1f600
  };

  /** Grown by hand: jqwik's own recursion spends minutes on the edge cases of edge cases. */
  @Provide
  public Arbitrary<Json> json() {
    return Arbitraries.randomValue(chance -> json(chance, DEEPEST));
  }

  /** From a bit of money to what no double can carry. */
  @Provide
  Arbitrary<BigDecimal> decimal() {
    Arbitrary<BigInteger> digits =
        Arbitraries.oneOf(
            Arbitraries.integers().map(BigInteger::valueOf),
            Arbitraries.longs().map(BigInteger::valueOf),
            Arbitraries.bigIntegers()
                .between(BigInteger.TEN.pow(40).negate(), BigInteger.TEN.pow(40)));
    Arbitrary<Integer> scale =
        Arbitraries.oneOf(
            Arbitraries.integers().between(-3, 8), Arbitraries.integers().between(-450, 450));
    return Combinators.combine(digits, scale).as(BigDecimal::new);
  }

  private static Json json(Random chance, int depth) {
    return switch (chance.nextInt(depth == 0 ? 3 : 5)) {
      case 0 -> new Json.Literal(List.of("null", "true", "false").get(chance.nextInt(3)));
      case 1 -> new Json.Number(number(chance));
      case 2 -> new Json.Text(text(chance));
      case 3 ->
          new Json.Array(
              Stream.generate(() -> json(chance, depth - 1))
                  .limit(chance.nextInt(MOST_ITEMS + 1))
                  .toList());
      default -> {
        Map<String, Json> byName = new HashMap<>();
        for (int i = chance.nextInt(MOST_ITEMS + 1); i > 0; i--) {
          byName.put(text(chance), json(chance, depth - 1));
        }
        yield new Json.Properties(byName);
      }
    };
  }

  private static BigDecimal number(Random chance) {
    return switch (chance.nextInt(4)) {
      case 0 -> BigDecimal.valueOf(chance.nextInt(10));
      case 1 -> BigDecimal.valueOf(chance.nextInt(), chance.nextInt(5));
      case 2 -> BigDecimal.valueOf(chance.nextLong(), chance.nextInt(400));
      default -> new BigDecimal(new BigInteger(120, chance), chance.nextInt(900) - 450);
    };
  }

  private static String text(Random chance) {
    StringBuilder text = new StringBuilder();
    for (int i = chance.nextInt(LONGEST_TEXT + 1); i > 0; i--) {
      text.appendCodePoint(
          chance.nextBoolean()
              ? 'a' + chance.nextInt(26)
              : AWKWARD[chance.nextInt(AWKWARD.length)]);
    }
    return text.toString();
  }
}
