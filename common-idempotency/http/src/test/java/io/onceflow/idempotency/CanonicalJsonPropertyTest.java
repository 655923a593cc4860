package io.onceflow.idempotency;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.core.Json;
import io.onceflow.core.Jsons;
import io.onceflow.core.internal.CanonicalJson;
import io.onceflow.core.internal.CanonicalNumber;
import io.onceflow.core.internal.Fingerprint;
import io.onceflow.core.internal.MalformedBody;
import io.onceflow.idempotency.internal.request.RequestFingerprint;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Assume;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.domains.Domain;
import net.jqwik.api.domains.DomainContext;
import org.erdtman.jcs.JsonCanonicalizer;
import org.erdtman.jcs.NumberToJSON;

/** What is true of every JSON value, seen on some thousands of them. */
@Domain(Jsons.class)
@Domain(DomainContext.Global.class)
class CanonicalJsonPropertyTest {

  private static final long SEED_OF_ONE_SPELLING = 1;

  @Property
  void everySpellingOfAValueHasOneFormAndOnePrint(
      @ForAll Json value, @ForAll long seed, @ForAll long otherSeed) {
    assertThat(canonical(value, seed)).isEqualTo(canonical(value, otherSeed));
    assertThat(print(value, seed)).isEqualTo(print(value, otherSeed));
  }

  @Property
  void twoValuesHaveOneFormOnlyIfTheyAreEqual(@ForAll Json one, @ForAll Json other) {
    assertThat(canonical(one, SEED_OF_ONE_SPELLING).equals(canonical(other, SEED_OF_ONE_SPELLING)))
        .isEqualTo(one.equals(other));
  }

  /** Neighbours, which two values drawn by chance never are. */
  @Property
  void anyChangeOfAValueGivesAnotherFormAndPrint(@ForAll Json value, @ForAll long seed) {
    Json changed = changed(value, new Random(seed));
    assertThat(canonical(changed, seed)).isNotEqualTo(canonical(value, seed));
    assertThat(print(changed, seed)).isNotEqualTo(print(value, seed));
  }

  @Property
  void theFormOfAFormIsItself(@ForAll Json value, @ForAll long seed) {
    String form = canonical(value, seed);
    assertThat(canonical(form)).isEqualTo(form);
  }

  @Property
  void numbersAreEqualInFormJustWhenTheyAreInValue(
      @ForAll BigDecimal one, @ForAll BigDecimal other, @ForAll long seed) {
    BigDecimal nextToOne = one.add(one.ulp());
    for (BigDecimal second : List.of(other, nextToOne, one.negate())) {
      assertThat(
              canonical(new Json.Number(one), seed)
                  .equals(canonical(new Json.Number(second), seed)))
          .isEqualTo(one.compareTo(second) == 0);
    }
  }

  /**
   * The heart of RFC 8785, against another's implementation of it; but for the smallest doubles,
   * which that one garbles and of which Java writes two digits where one says as much.
   */
  @Property(tries = 20_000)
  void aDoubleIsSpelledAsEcmaScriptDoes(@ForAll long seed) throws IOException {
    double value = Double.longBitsToDouble(new Random(seed).nextLong());
    Assume.that(Double.isFinite(value) && Math.abs(value) >= Double.MIN_NORMAL);
    String expected = NumberToJSON.serializeNumber(value);
    assertThat(CanonicalNumber.of(expected)).isEqualTo(expected);
    assertThat(CanonicalNumber.of(Double.toString(value))).isEqualTo(expected);
  }

  @Property
  void ofNumbersThatADoubleCarriesItIsRfc8785(@ForAll Json value, @ForAll long seed)
      throws IOException {
    Json carried = carried(value);
    Json.Array document = new Json.Array(List.of(carried)); // the other takes no bare scalar
    String sent = document.spelled(new Random(seed));
    assertThat(canonical(sent)).isEqualTo(new JsonCanonicalizer(sent).getEncodedString());
  }

  /** Whatever comes is read or refused; nothing else happens. */
  @Property
  void noBytesMakeItFail(@ForAll byte[] bytes) {
    try {
      CanonicalJson.of(bytes);
    } catch (MalformedBody refused) {
      assertThat(refused.getMessage()).isNotBlank();
    }
  }

  @Property
  void aTextCutShortIsRefused(@ForAll Json value, @ForAll long seed) {
    Json.Array whole = new Json.Array(List.of(value));
    String text = whole.spelled(new Random(seed)).strip();
    int length = 1 + new Random(seed).nextInt(text.length() - 1);
    byte[] cut = Arrays.copyOf(text.getBytes(UTF_8), length);
    assertThatThrownBy(() -> CanonicalJson.of(cut)).isInstanceOf(MalformedBody.class);
  }

  @Example
  void theSpellingsDifferOrNothingWouldBeShown() {
    Json value = new Json.Properties(Map.of("a", new Json.Number(BigDecimal.TEN), "b", text("é")));
    assertThat(value.spelled(new Random(1))).isNotEqualTo(value.spelled(new Random(2)));
  }

  /** The value with the least of changes somewhere in it. */
  private static Json changed(Json value, Random chance) {
    return switch (value) {
      case Json.Literal(String word) -> new Json.Literal(word.equals("true") ? "false" : "true");
      case Json.Number(BigDecimal number) -> new Json.Number(number.add(number.ulp()));
      case Json.Text(String text) -> text(text + "\u0301");
      case Json.Array(List<Json> items) when items.isEmpty() -> new Json.Properties(Map.of());
      case Json.Array(List<Json> items) -> {
        List<Json> others = new ArrayList<>(items);
        others.set(0, changed(items.getFirst(), chance));
        yield new Json.Array(others);
      }
      case Json.Properties(Map<String, Json> byName) when byName.isEmpty() ->
          new Json.Properties(Map.of("", new Json.Literal("null")));
      case Json.Properties(Map<String, Json> byName) -> {
        Map<String, Json> others = new HashMap<>(byName);
        String name = others.keySet().iterator().next();
        if (chance.nextBoolean()) {
          others.remove(name);
        } else {
          others.put(name, changed(byName.get(name), chance));
        }
        yield new Json.Properties(others);
      }
    };
  }

  /** The value with each number as the double next to it would be sent. */
  private static Json carried(Json value) {
    return switch (value) {
      case Json.Literal literal -> literal;
      case Json.Number(BigDecimal number) -> new Json.Number(carried(number));
      case Json.Text text -> text;
      case Json.Array(List<Json> items) ->
          new Json.Array(items.stream().map(CanonicalJsonPropertyTest::carried).toList());
      case Json.Properties(Map<String, Json> byName) -> {
        Map<String, Json> others = new HashMap<>();
        byName.forEach((name, item) -> others.put(name, carried(item)));
        yield new Json.Properties(others);
      }
    };
  }

  private static BigDecimal carried(BigDecimal number) {
    double near = number.doubleValue();
    return Double.isFinite(near) && Math.abs(near) >= Double.MIN_NORMAL
        ? new BigDecimal(Double.toString(near))
        : BigDecimal.ZERO;
  }

  private static Json.Text text(String value) {
    return new Json.Text(value);
  }

  /** Of a whole request with this body. */
  private static Fingerprint print(Json value, long seed) {
    byte[] body = value.spelled(new Random(seed)).getBytes(UTF_8);
    return RequestFingerprint.of(
        "POST", URI.create("/orders"), body, MediaType.APPLICATION_JSON_TYPE);
  }

  private static String canonical(Json value, long seed) {
    return canonical(value.spelled(new Random(seed)));
  }

  private static String canonical(String json) {
    return new String(CanonicalJson.of(json.getBytes(UTF_8)), UTF_8);
  }
}
