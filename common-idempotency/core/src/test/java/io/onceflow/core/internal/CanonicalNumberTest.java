package io.onceflow.core.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CanonicalNumberTest {

  /** RFC 8785, appendix B: the bits of a double, and how it is spelled. */
  @ParameterizedTest
  @CsvSource({
    "0000000000000000, 0",
    "8000000000000000, 0",
    "0000000000000001, 5e-324",
    "8000000000000001, -5e-324",
    "7fefffffffffffff, 1.7976931348623157e+308",
    "ffefffffffffffff, -1.7976931348623157e+308",
    "4340000000000000, 9007199254740992",
    "c340000000000000, -9007199254740992",
    "4430000000000000, 295147905179352830000",
    "44b52d02c7e14af5, 9.999999999999997e+22",
    "44b52d02c7e14af6, 1e+23",
    "44b52d02c7e14af7, 1.0000000000000001e+23",
    "444b1ae4d6e2ef4e, 999999999999999700000",
    "444b1ae4d6e2ef4f, 999999999999999900000",
    "444b1ae4d6e2ef50, 1e+21",
    "3eb0c6f7a0b5ed8c, 9.999999999999997e-7",
    "3eb0c6f7a0b5ed8d, 0.000001",
    "41b3de4355555553, 333333333.3333332",
    "41b3de4355555554, 333333333.33333325",
    "41b3de4355555555, 333333333.3333333",
    "41b3de4355555556, 333333333.3333334",
    "41b3de4355555557, 333333333.33333343",
    "becbf647612f3696, -0.0000033333333333333333",
    "43143ff3c1cb0959, 1424953923781206.2",
  })
  void isSpelledAsInTheTableOfTheRfc(String bits, String spelled) {
    double value = Double.longBitsToDouble(Long.parseUnsignedLong(bits, 16));
    assertThat(Double.parseDouble(spelled)).as("the table itself").isEqualTo(value + 0.0);
    assertThat(CanonicalNumber.of(spelled)).isEqualTo(spelled);
    if (Math.abs(value) >= Double.MIN_NORMAL) {
      assertThat(CanonicalNumber.of(Double.toString(value))).isEqualTo(spelled);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "1.0, 1",
    "1e0, 1",
    "1E+00, 1",
    "10e-1, 1",
    "0.1e1, 1",
    "100e-2, 1",
    "0.00001e5, 1",
    "-1.50, -1.5",
    "0.1, 0.1",
    "1e-1, 0.1",
    "0, 0",
    "-0, 0",
    "-0.0e5, 0",
    "0e99999999999999999999, 0",
    "1E30, 1e+30",
    "4.50, 4.5",
    "2e-3, 0.002",
    "0.000000000000000000000000001, 1e-27",
    "1e20, 100000000000000000000",
    "1e21, 1e+21",
    "123456789012345678901, 123456789012345678901",
    "1234567890123456789012, 1.234567890123456789012e+21",
    "0.000001, 0.000001",
    "0.0000001, 1e-7",
    "0.00000123, 0.00000123",
    "0.000000123, 1.23e-7",
    "1e0000000000000000000000001, 10",
  })
  void hasOneSpellingHoweverItWasSent(String sent, String spelled) {
    assertThat(CanonicalNumber.of(sent)).isEqualTo(spelled);
  }

  /** RFC 8785 would make each of these pairs one number. */
  @ParameterizedTest
  @CsvSource({
    "9007199254740993, 9007199254740992",
    "12345678901234567, 12345678901234568",
    "0.1234567890123456789, 0.1234567890123456788",
    "1e400, 1e401",
    "1e-400, 0",
    "333333333.33333329, 333333333.3333333",
    "0.1, 0.1000000000000000055511151231257827021181583404541015625",
  })
  void keepsWhatADoubleCannotCarry(String one, String other) {
    assertThat(CanonicalNumber.of(one)).isNotEqualTo(CanonicalNumber.of(other));
    assertThat(CanonicalNumber.of(CanonicalNumber.of(one))).isEqualTo(CanonicalNumber.of(one));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1e1000000000",
        "1e-1000000000",
        "-1e99999999999999999999999999",
        "1e10000",
        "1e-10000",
        "0.1e10001",
      })
  void refusesWhatWouldFillTheMemoryWhenWrittenOut(String huge) {
    assertThatExceptionOfType(MalformedBody.class)
        .isThrownBy(() -> CanonicalNumber.of(huge))
        .withMessageContaining("1e9999");
  }

  @Test
  void takesAsManyDigitsAfterThePointAsThereAre() {
    String digits = "3." + "14159".repeat(20_000);
    assertThat(CanonicalNumber.of(digits)).isEqualTo(digits);
    assertThat(CanonicalNumber.of(digits + "0".repeat(1_000))).isEqualTo(digits);
  }

  @Test
  void reachesAsFarAsItSays() {
    assertThat(CanonicalNumber.of("-99.9e9998")).isEqualTo("-9.99e+9999");
    assertThat(CanonicalNumber.of("1e-9999")).isEqualTo("1e-9999");
  }
}
