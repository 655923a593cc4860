package io.onceflow.inbox.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.participant.Answer;
import io.onceflow.participant.Answer.ReplyOutcome;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rule 12: a completed step answers again, letter for letter. */
class StepOutcomeTest {

  private final ObjectMapper json = new ObjectMapper();

  /** A reply of every sort. */
  record Charged(BigDecimal amount, double rate, String note, List<Integer> parts) {}

  @Test
  void isAnsweredAgainLetterForLetter() {
    StepOutcome outcome =
        StepOutcome.of(
            Answer.of(
                ReplyOutcome.REFUSED,
                new Charged(new BigDecimal("10.50"), 1e10, "\"für\" {alle}\n", List.of(1, 2))),
            json);
    assertThat(outcome.payload()).contains("10.50");
    assertThat(StepOutcome.stored(outcome.toStore(json), json)).isEqualTo(outcome);
  }

  @Test
  void callsTheReplyByItsClass() {
    Charged charged = new Charged(BigDecimal.ONE, 0, "", List.of());
    assertThat(StepOutcome.of(Answer.done(charged), json).type()).isEqualTo("Charged");
  }

  @Test
  void callsAReplyWithoutABodyByItsOutcome() {
    assertThat(StepOutcome.of(Answer.refused(), json))
        .isEqualTo(new StepOutcome("StepRefused", "{}", ReplyOutcome.REFUSED));
    assertThat(StepOutcome.of(Answer.done(), json).type()).isEqualTo("StepDone");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"b\":1.50,\"a\":1E+2,\"a\":\"\\u00fc\"}",
        "{ }",
        "[1, 2]",
        "\"text\"",
        "\"a } b\"",
        "12345678901234567890.120",
        "true",
        "null"
      })
  void takesThePayloadAsItStandsWhateverItIs(String payload) {
    StepOutcome outcome = new StepOutcome("X", payload, ReplyOutcome.DONE);
    String stored = "{\"type\":\"X\",\"payload\":" + payload + ",\"result\":\"done\"}";
    assertThat(StepOutcome.stored(stored, json)).isEqualTo(outcome);
    String turned = "{\"result\":\"done\",\"payload\": " + payload + " , \"type\":\"X\"}";
    assertThat(StepOutcome.stored(turned, json)).isEqualTo(outcome);
  }

  /** Without the content, which may be personal: logs are read by others. */
  @Test
  void saysWhichColumnItCouldNotRead() {
    assertThatIllegalStateException()
        .isThrownBy(() -> StepOutcome.stored("{\"recorded\":\"X\"}", json))
        .withMessage("inbox_message.outcome lacks type, payload or result");
    assertThatIllegalStateException().isThrownBy(() -> StepOutcome.stored("nonsense", json));
  }
}
