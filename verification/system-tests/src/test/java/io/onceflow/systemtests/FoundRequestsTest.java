package io.onceflow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What fuzzing has found, each for good. */
@SystemTest
class FoundRequestsTest {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Stack stack = Stack.get();

  /** Was a failure of ours. */
  @ParameterizedTest
  @ValueSource(strings = {"", ";", "/", "json", "application/json, text/plain"})
  void aContentTypeThatIsNoneIsRefused(String contentType) throws IOException {
    String id = "0199c3a4-5f10-7c3e-9a51-3b2f6d8e4a01";

    Wire.Answer answer = ask("/sagas/" + id + "/retry", contentType, "{}");

    assertThat(answer.status()).isEqualTo(415);
    assertThat(HttpOracle.complaint(answer)).isEmpty();
  }

  /** Was told in the words of a library, with our classes and the value itself. */
  @ParameterizedTest
  @ValueSource(strings = {"0.1000000000000000055511151231257827", "42", "true"})
  void aValueOfAnotherTypeIsRefusedInOurWords(String value) throws IOException {
    String id = "0199c3a4-5f10-7c3e-9a51-3b2f6d8e4a01";

    Wire.Answer answer =
        ask("/sagas/" + id + "/retry", "application/json", "{\"why\": " + value + "}");

    assertThat(answer.status()).isEqualTo(400);
    assertThat(HttpOracle.complaint(answer)).isEmpty();
    assertThat(answer.body()).contains("must be a string").doesNotContain(value);
  }

  /** Was a failure of ours, where no guard has read the body before. */
  @Test
  void aPropertyThatIsThereTwiceIsRefused() throws IOException {
    String id = "0199c3a4-5f10-7c3e-9a51-3b2f6d8e4a01";

    Wire.Answer answer =
        ask("/sagas/" + id + "/retry", "application/json", "{\"why\":\"a\",\"why\":\"b\"}");

    assertThat(answer.status()).isEqualTo(400);
    assertThat(HttpOracle.complaint(answer)).isEmpty();
    assertThat(answer.body()).contains("\"why\"", "more than once");
  }

  private Wire.Answer ask(String path, String contentType, String body) throws IOException {
    try (Wire wire = Wire.to(stack.orders(), PATIENCE)) {
      wire.send(
          """
          POST %s HTTP/1.1
          Host: onceflow
          Authorization: Bearer %s
          Idempotency-Key: %s
          Content-Type: %s
          Content-Length: %d

          """
                  .formatted(
                      path,
                      stack.issuer().operator(),
                      Customer.newKey(),
                      contentType,
                      body.length())
                  .replace("\n", "\r\n")
              + body);
      return wire.read();
    }
  }
}
