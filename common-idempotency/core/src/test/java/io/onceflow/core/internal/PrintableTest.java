package io.onceflow.core.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrintableTest {

  @ParameterizedTest
  @ValueSource(
      ints = {
        0x0, '\n', 0x1b, 0x7f, 0x85, 0xad, 0x34f, 0x115f, 0x1160, 0x17b4, 0x180b, 0x180f, 0x200b,
        0x200d, 0x202e, 0x2028, 0x2029, 0x2065, 0x2800, 0x3164, 0xd800, 0xfe00, 0xfe0f, 0xfeff,
        0xffa0, 0xffff, 0x1d173, 0xe0001, 0xe0100, 0xe01ef, 0xe0fff
      })
  void aCharacterThatCannotBeSeenIsEscaped(int character) {
    String name = "alice" + Character.toString(character);
    assertThat(Printable.is(name)).isFalse();
    assertThat(Pattern.matches(Printable.VISIBLE, name)).isFalse();
    assertThat(Printable.escape(name)).startsWith("alice\\").matches("[ -~]+");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "alice",
        "Zoë O'Brien",
        "山田 太郎",
        "אליס",
        "علي",
        "ไทย",
        "नमस्ते",
        "e\u0301",
        "ᠮᠣᠩᠭᠣᠯ",
        "한국",
        "\u1112\u1161\u11ab",
        "⠁",
        "😀",
        "𝒜"
      })
  void whatCanBeSeenIsLeftAsItIs(String text) {
    assertThat(Printable.is(text)).isTrue();
    assertThat(Pattern.matches(Printable.VISIBLE, text)).isTrue();
    assertThat(Printable.escape(text)).isSameAs(text);
  }
}
