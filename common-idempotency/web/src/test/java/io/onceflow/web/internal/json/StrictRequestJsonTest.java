package io.onceflow.web.internal.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a request says counts as it is written, and nothing else counts for it. */
class StrictRequestJsonTest {

  private final ObjectMapper json = new ObjectMapper();

  record Repair(@Nullable Action action, @Nullable Boolean dryRun) {}

  enum Action {
    @JsonProperty("retry")
    RETRY,
    @JsonProperty("compensate")
    COMPENSATE
  }

  record Flag(boolean raised) {}

  @BeforeEach
  void customize() {
    new StrictRequestJson().customize(json);
  }

  @Test
  void readsWordsAndTruths() throws JsonProcessingException {
    assertThat(json.readValue("{\"action\": \"compensate\", \"dryRun\": false}", Repair.class))
        .isEqualTo(new Repair(Action.COMPENSATE, false));
    assertThat(json.readValue("{\"action\": null}", Repair.class))
        .isEqualTo(new Repair(null, null));
  }

  /** The one at place 1 would be done, whichever that is in this release. */
  @ParameterizedTest
  @ValueSource(strings = {"1", "\"1\""})
  void aNumberIsNoConstantOfAnEnumeration(String number) {
    assertRefused("{\"action\": %s}".formatted(number), Repair.class, Action.class);
  }

  /** Read as false, 0 had a repair carried out that was to be tried. */
  @ParameterizedTest
  @ValueSource(strings = {"0", "1", "0.0", "\"\"", "\"false\"", "\"no\""})
  void onlyTrueAndFalseAreTruths(String value) {
    assertRefused("{\"dryRun\": %s}".formatted(value), Repair.class, Boolean.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "1", "\"true\""})
  void norIsAFlagThatHasToBeThere(String value) {
    assertRefused("{\"raised\": %s}".formatted(value), Flag.class, boolean.class);
  }

  private void assertRefused(String text, Class<?> type, Class<?> expected) {
    assertThatThrownBy(() -> json.readValue(text, type))
        .isInstanceOfSatisfying(
            MismatchedInputException.class,
            refused -> assertThat(refused.getTargetType()).isEqualTo(expected));
  }
}
