package io.onceflow.idempotency.internal.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.idempotency.internal.admission.RequestPattern.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How requests are named that may be shed. */
class RequestPatternTest {

  @ParameterizedTest
  @CsvSource({
    "POST /orders, POST, /orders, true",
    "post /orders, POST, /orders/, true",
    "POST /orders, POST, //orders, true",
    "POST /orders, GET, /orders, false",
    "POST /orders, POST, /orders/1, false",
    "POST /orders/{id}/return, POST, /orders/1/return, true",
    "POST /orders/{id}/return, POST, /orders/1/cancellation, false",
    "POST /orders/{id}/return, POST, /orders/return, false",
    "GET /orders, HEAD, /orders, true",
    "HEAD /orders, GET, /orders, false",
    "POST /orders, HEAD, /orders, false",
    "POST /orders, POST, /orders;a=b, true",
    "POST /orders, POST, /;a/orders;a=b;c/;d, true",
    "POST /orders/{id}/return, POST, /orders/1;a/return;b, true",
    "GET /idempotency-keys/{key:.+}, GET, /idempotency-keys/1, true",
    "GET /idempotency-keys/{key:.+}, GET, /idempotency-keys/1/2/3, true",
    "GET /idempotency-keys/{key:.+}, GET, /idempotency-keys, false",
    "GET /idempotency-keys/{key:.+}, GET, /orders/1/2/3, false"
  })
  void matchesByMethodAndSegments(String text, String method, String path, boolean matches) {
    assertThat(
            RequestPattern.parse(text, Kind.BEGINS_WORK)
                .matches(method, RequestPattern.segments(path)))
        .isEqualTo(matches);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/orders", "POST", "POST orders", "POST /orders /returns", ""})
  void refusesWhatNamesNoRequest(String text) {
    assertThatThrownBy(() -> RequestPattern.parse(text, Kind.BEGINS_WORK))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("such as POST /orders/{id}/return");
  }

  @Test
  void isShownAsItWasConfigured() {
    assertThat(RequestPattern.parse(" POST   /orders ", Kind.BEGINS_WORK).text())
        .isEqualTo("POST /orders");
  }
}
