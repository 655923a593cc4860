package io.onceflow.console.internal.signin;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who verifies a token is chosen by what it says; one that says nothing is left to the others. */
class BearerIssuerTest {

  @Test
  void isWhatTheTokenSays() {
    String token = "h." + base64("{\"iss\": \"https://issuer.example.com\"}") + ".s";

    assertThat(BearerIssuer.of("Bearer " + token)).isEqualTo("https://issuer.example.com");
    assertThat(BearerIssuer.of("bearer  " + token)).isEqualTo("https://issuer.example.com");
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {
        "",
        "Bearer",
        "Bearer ",
        "Bearer opaque",
        "Bearer a.b",
        "Bearer a.%%%.c",
        "Bearer a.bm8ganNvbg.c",
        "Bearer a.W10.c",
        "Bearer a.eyJpc3MiOjF9.c",
        "Basic b2xnYTpvbGdh"
      })
  void isEmptyWhereThereIsNone(String header) {
    assertThat(BearerIssuer.of(header)).isEmpty();
  }

  private static String base64(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
