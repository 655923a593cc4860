package io.onceflow.idempotency.internal.request;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.core.internal.Fingerprint;
import jakarta.ws.rs.core.MediaType;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestFingerprintTest {

  @ParameterizedTest
  @CsvSource({
    "/a%7Eb, /a~b",
    "/%61%2d%2E%5f, /a-._",
    "/caf%c3%a9, /caf%C3%A9",
    "/a?b=%7e, /a?b=~",
    "/a?b=%3d%26, /a?b=%3D%26",
    "/a?, /a",
  })
  void isTheSameForWhatUrisSayIsTheSame(String one, String other) {
    assertThat(print(one)).isEqualTo(print(other));
  }

  @ParameterizedTest
  @CsvSource({
    "/a?b=1&c=2, /a?c=2&b=1",
    "/a?b=1&b=2, /a?b=2&b=1",
    "/a?b=1, /a?b=1&b=1",
    "/a?b=1+2, /a?b=1%202",
    "/a?b=%26, /a?b=&",
    "/a?b=%252D, /a?b=%2D",
    "/a%2Fb, /a/b",
    "/a, /a/",
    "/a, /A",
    "/a, /a?b",
    "/a?b, /a%3Fb",
  })
  void differsWhereTheMeaningMay(String one, String other) {
    assertThat(print(one)).isNotEqualTo(print(other));
  }

  @Test
  void doesNotMindWhichNameTheServerIsCalledBy() {
    assertThat(print("http://one.example/a?b=1"))
        .isEqualTo(print("https://two.example:8443/a?b=1"));
  }

  @Test
  void differsWhenTheMethodDoes() {
    assertThat(of("PUT", "/a", "{}", "application/json")).isNotEqualTo(print("/a"));
  }

  @Test
  void takesTheBodyInItsCanonicalForm() {
    assertThat(of("POST", "/a", " { } ", "application/json")).isEqualTo(print("/a"));
    assertThat(of("POST", "/a", " { } ", "text/plain")).isNotEqualTo(print("/a"));
  }

  /** An answer kept by the version before this one is found again after the upgrade. */
  @Test
  void isThatOfEarlierVersionsForAnOrdinaryOrder() {
    Fingerprint before =
        Fingerprint.of(
            "POST".getBytes(UTF_8),
            "/orders".getBytes(UTF_8),
            new byte[0],
            "{\"currency\":\"EUR\",\"items\":[{\"quantity\":2,\"sku\":\"BOOK-42\"}]}"
                .getBytes(UTF_8));
    String body = "{\"items\": [{\"sku\": \"BOOK-42\", \"quantity\": 2}], \"currency\": \"EUR\"}";
    assertThat(of("POST", "/orders", body, "application/json")).isEqualTo(before);
  }

  private static Fingerprint print(String uri) {
    return of("POST", uri, "{}", "application/json");
  }

  private static Fingerprint of(String method, String uri, String body, String type) {
    return RequestFingerprint.of(
        method, URI.create(uri), body.getBytes(UTF_8), MediaType.valueOf(type));
  }
}
