package io.onceflow.idempotency.internal.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.onceflow.core.ScopeResolver;
import io.quarkus.security.UnauthorizedException;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.runtime.QuarkusPrincipal;
import io.quarkus.security.runtime.QuarkusSecurityIdentity;
import java.security.Principal;
import java.util.Map;
import java.util.Set;
import org.eclipse.microprofile.jwt.JsonWebToken;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose keys they are where the application does not say. */
class SubjectScopeTest {

  @Test
  void areTheTokensSubjects() {
    assertThat(scope(new Token(Map.of("sub", "5f0c", "upn", "ada")))).isEqualTo("5f0c");
  }

  @Test
  void areTheirsWhoAreNamedWithoutAToken() {
    assertThat(scope(new QuarkusPrincipal("ada"))).isEqualTo("ada");
  }

  /** They would share one scope, and read each other's answers. */
  @Test
  void areNobodysWhoIsAnonymous() {
    SecurityIdentity nobody = QuarkusSecurityIdentity.builder().setAnonymous(true).build();
    assertThatExceptionOfType(UnauthorizedException.class)
        .isThrownBy(() -> new SubjectScope(nobody).scope());
  }

  @Test
  void areNobodysWhoseTokenNamesNoSubject() {
    assertThatExceptionOfType(UnauthorizedException.class)
        .isThrownBy(() -> scope(new Token(Map.of("upn", "ada"))));
    assertThatExceptionOfType(UnauthorizedException.class)
        .isThrownBy(() -> scope(new Token(Map.of("sub", " "))));
  }

  /** Whose keys could not be stored. */
  @Test
  void areNobodysWhoseSubjectIsBeyondKeeping() {
    String longest = "s".repeat(ScopeResolver.MAX_LENGTH);
    assertThat(scope(new Token(Map.of("sub", longest)))).isEqualTo(longest);
    assertThatExceptionOfType(UnauthorizedException.class)
        .isThrownBy(() -> scope(new Token(Map.of("sub", longest + "s"))));
    assertThatExceptionOfType(UnauthorizedException.class)
        .isThrownBy(() -> scope(new Token(Map.of("sub", "a\0b"))));
  }

  /** They would forge lines of a log, or look like another's name. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "a\nb",
        "a\rb",
        "a\u001b[2Jb",
        "a\u0085b",
        "a\u202eb",
        "a\u200bb",
        "a\u2028b",
        "\ud800"
      })
  void areNobodysWhoseSubjectCannotBePrinted(String subject) {
    assertThatExceptionOfType(UnauthorizedException.class)
        .isThrownBy(() -> scope(new Token(Map.of("sub", subject))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"auth0|5f0c", "Zoë Ångström", "ada@example.com", "名前", "\ud83d\ude80"})
  void areTheirsWhoseNameIsUnusual(String subject) {
    assertThat(scope(new Token(Map.of("sub", subject)))).isEqualTo(subject);
  }

  private static String scope(Principal caller) {
    return new SubjectScope(QuarkusSecurityIdentity.builder().setPrincipal(caller).build()).scope();
  }

  private record Token(Map<String, String> claims) implements JsonWebToken {

    @Override
    public String getName() {
      return claims.getOrDefault("upn", "");
    }

    @Override
    public Set<String> getClaimNames() {
      return claims.keySet();
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> T getClaim(String name) {
      return (T) claims.get(name);
    }
  }
}
