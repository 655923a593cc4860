package io.onceflow.web.internal.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class UnreadableBodiesTest {

  enum Colour {
    RED,
    BLUE
  }

  enum Shade {
    @JsonProperty("light")
    LIGHT,
    DARK
  }

  static Stream<Arguments> types() {
    return Stream.of(
        arguments(int.class, "an integer number"),
        arguments(Long.class, "an integer number"),
        arguments(double.class, "a number"),
        arguments(BigDecimal.class, "a number"),
        arguments(boolean.class, "true or false"),
        arguments(String.class, "a string"),
        arguments(List.class, "a list"),
        arguments(UUID.class, "a valid UUID"),
        arguments(Colour.class, "one of RED, BLUE"),
        arguments(Shade.class, "one of light, DARK"),
        arguments(Map.class, "an object"),
        arguments(UnreadableBodiesTest.class, "an object"));
  }

  @ParameterizedTest
  @MethodSource("types")
  void tellsASenderWhatWasExpectedWithoutNamingTheApplicationsClasses(
      Class<?> type, String expected) {
    assertThat(UnreadableBodies.expected(type)).isEqualTo(expected);
  }
}
