package io.onceflow.console.internal.signin;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.runtime.QuarkusPrincipal;
import io.quarkus.security.runtime.QuarkusSecurityIdentity;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Each session has a token that no other session has, and that needs the secret to compute. */
class CsrfTokensTest {

  private static final SecurityIdentity OLGA = session("olga");

  private final CsrfTokens tokens = tokens("the secret of all replicas");

  @Test
  void isTheSameOnEveryReplica() {
    String token = tokens.of(OLGA);

    assertThat(tokens("the secret of all replicas").isOf(session("olga"), token)).isTrue();
  }

  @Test
  void isNobodyElses() {
    assertThat(tokens.isOf(OLGA, tokens.of(session("vera")))).isFalse();
    assertThat(tokens.isOf(OLGA, tokens("another secret").of(OLGA))).isFalse();
  }

  @Test
  void isNotGuessed() {
    String token = tokens.of(OLGA);

    assertThat(tokens.isOf(OLGA, null)).isFalse();
    assertThat(tokens.isOf(OLGA, "")).isFalse();
    assertThat(tokens.isOf(OLGA, token.substring(1))).isFalse();
    assertThat(tokens.isOf(OLGA, token + "a")).isFalse();
  }

  private static CsrfTokens tokens(String secret) {
    return new CsrfTokens(secret.getBytes(StandardCharsets.UTF_8));
  }

  private static SecurityIdentity session(String name) {
    return QuarkusSecurityIdentity.builder().setPrincipal(new QuarkusPrincipal(name)).build();
  }
}
