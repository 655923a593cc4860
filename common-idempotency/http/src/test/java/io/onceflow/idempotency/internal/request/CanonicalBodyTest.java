package io.onceflow.idempotency.internal.request;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.onceflow.core.internal.MalformedBody;
import jakarta.ws.rs.core.MediaType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CanonicalBodyTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json",
        "application/JSON;charset=utf-8",
        "application/json; charset=\"UTF-8\"",
        "application/merge-patch+json",
        "text/json",
      })
  void takesForJsonWhatSaysSo(String type) {
    assertThat(of("{ }", type)).isEqualTo("{}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/plain",
        "application/octet-stream",
        "application/jsonish",
        "application/json-seq",
        "application/x-ndjson",
        "application/x-www-form-urlencoded",
        "text/plain;charset=iso-8859-1",
      })
  void takesAnythingElseByteForByte(String type) {
    assertThat(of("{ }", type)).isEqualTo("{ }");
    assertThat(of("{\"a\":1,\"a\":1", type)).isEqualTo("{\"a\":1,\"a\":1");
  }

  @Test
  void takesABodyWithoutATypeByteForByte() {
    byte[] body = {1, -1, 0};
    assertThat(CanonicalBody.of(body, null)).isEqualTo(body);
  }

  @ParameterizedTest
  @ValueSource(strings = {"iso-8859-1", "utf-16", "us-ascii", "nonsense"})
  void refusesJsonThatNamesAnotherCharset(String charset) {
    assertThatExceptionOfType(MalformedBody.class)
        .isThrownBy(() -> of("{}", "application/json;charset=" + charset))
        .withMessageContaining("charset=" + charset);
  }

  @Test
  void leavesAnEmptyBodyEmptyWhateverItCallsItself() {
    assertThat(of("", "application/json")).isEmpty();
  }

  private static String of(String body, String type) {
    return new String(CanonicalBody.of(body.getBytes(UTF_8), MediaType.valueOf(type)), UTF_8);
  }
}
