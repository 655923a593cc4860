package io.onceflow.console.internal.signin;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A link to the sign-in leads to a view of this console, and to no other site. */
class ReturnAddressTest {

  private static final String CONSOLE = "/app/console/";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/app/console/",
        "/app/console/sagas",
        "/app/console/sagas/0199c3a4-1f2b",
        "/app/console/audit?actor=olga&action=retry",
        "/app/console/sagas?subject=a%20b%2F..%2Fc&from=2026-11-23T16:40:12Z"
      })
  void isAView(String to) {
    assertThat(ReturnAddress.within(CONSOLE, to)).hasValue(to);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "sagas",
        "https://evil.example.com/app/console/",
        "//evil.example.com/app/console/",
        "///evil.example.com/app/console/",
        "/\\evil.example.com/app/console/",
        "\\\\evil.example.com",
        "/\t/evil.example.com",
        "/app/console/\r\nSet-Cookie: a=b",
        "/app/console/../orders",
        "/app/console/../../evil",
        "/app/console/%2e%2e/orders",
        "/app/console/x/.%2E/sign-out",
        "/app/consoles",
        "/orders",
        "javascript:alert(1)",
        "/app/console/sign-out",
        "/app/console/sign-in/oidc?to=/app/console/",
        "/app/console/x/../sign-out",
        "/app/console/%zz"
      })
  void isRefused(String to) {
    assertThat(ReturnAddress.within(CONSOLE, to)).isEmpty();
  }

  @Test
  void isTheOverviewWhereNothingIsAskedFor() {
    assertThat(ReturnAddress.within(CONSOLE, null)).hasValue(CONSOLE);
  }

  @Test
  void hasABound() {
    assertThat(ReturnAddress.within(CONSOLE, CONSOLE + "a".repeat(3_000))).isEmpty();
  }
}
