package io.onceflow.inbox.internal.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read as it is written, and what is not read at all. */
class StrictJsonTest {

  private static final ObjectMapper LENIENT = new ObjectMapper();
  private static final ObjectMapper STRICT = StrictJson.of(LENIENT);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"amount\": 25.5}",
        "{\"amount\": \"25\"}",
        "{\"amount\": \"\"}",
        "{\"amount\": null}",
        "{}",
        "{\"amount\": 25} 26"
      })
  void isNoAmount(String text) {
    assertThatThrownBy(() -> STRICT.readValue(text, Charge.class))
        .isInstanceOf(JsonProcessingException.class);
  }

  @Test
  void passesOverWhatANewerSenderAdds() throws Exception {
    assertThat(STRICT.readValue("{\"amount\": 25, \"tip\": 5}", Charge.class))
        .isEqualTo(new Charge(25));
  }

  @Test
  void leavesTheApplicationsOwnReadingAsItIs() throws Exception {
    assertThat(LENIENT.readValue("{\"amount\": \"25\"}", Charge.class)).isEqualTo(new Charge(25));
  }

  /** It would be another constant as soon as one is added before it. */
  @ParameterizedTest
  @ValueSource(strings = {"{\"reason\": 1}", "{\"reason\": \"1\"}"})
  void aNumberIsNoConstantOfAnEnumeration(String text) {
    assertThatThrownBy(() -> STRICT.readValue(text, Refusal.class))
        .isInstanceOf(JsonProcessingException.class);
  }

  /** Of a message. */
  record Charge(long amount) {}

  /** Of another one. */
  record Refusal(Reason reason) {}

  /** Why not. */
  enum Reason {
    DECLINED,
    EXPIRED
  }
}
