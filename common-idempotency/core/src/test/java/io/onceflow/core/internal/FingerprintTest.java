package io.onceflow.core.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FingerprintTest {

  @Test
  void isTheSameForTheSameParts() {
    assertThat(of("POST", "/orders")).isEqualTo(of("POST", "/orders"));
  }

  @Test
  void partsDoNotRunTogether() {
    assertThat(of("ab", "c")).isNotEqualTo(of("a", "bc"));
    assertThat(of("ab", "")).isNotEqualTo(of("", "ab"));
    assertThat(of("ab")).isNotEqualTo(of("ab", ""));
  }

  @Test
  void dependsOnTheOrderOfItsParts() {
    assertThat(of("a", "b")).isNotEqualTo(of("b", "a"));
  }

  @Test
  void comesBackFromWhereItWasStored() {
    Fingerprint print = of("whatever");
    assertThat(print.bytes()).hasSize(32);
    assertThat(Fingerprint.stored(print.bytes())).isEqualTo(print).hasSameHashCodeAs(print);
  }

  @Test
  void cannotBeChangedFromOutside() {
    Fingerprint print = of("whatever");
    print.bytes()[0] ^= 1;
    assertThat(print).isEqualTo(of("whatever"));
  }

  @Test
  void looksAtTheLastByteOfALongBody() {
    byte[] body = new byte[2 << 20];
    Fingerprint before = Fingerprint.of(body);
    body[body.length - 1] = 1;
    assertThat(Fingerprint.of(body)).isNotEqualTo(before);
  }

  private static Fingerprint of(String... parts) {
    byte[][] bytes = new byte[parts.length][];
    for (int i = 0; i < parts.length; i++) {
      bytes[i] = parts[i].getBytes(UTF_8);
    }
    return Fingerprint.of(bytes);
  }
}
