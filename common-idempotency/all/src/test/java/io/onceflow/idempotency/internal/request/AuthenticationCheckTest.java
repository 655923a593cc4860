package io.onceflow.idempotency.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

/** What an application is told at its start whose guarded operations nobody can call. */
class AuthenticationCheckTest {

  private static final Set<String> OPERATIONS = Set.of("sell-card");

  @Test
  void namesTheOperationsAndWhatIsMissing() {
    assertThat(AuthenticationCheck.complaint(OPERATIONS, true, false))
        .hasValueSatisfying(
            complaint ->
                assertThat(complaint)
                    .contains("sell-card", "403", "quarkus-smallrye-jwt", "ScopeResolver"));
  }

  @Test
  void isSilentWhereCallersAreKnown() {
    assertThat(AuthenticationCheck.complaint(OPERATIONS, true, true)).isEmpty();
    assertThat(AuthenticationCheck.complaint(OPERATIONS, false, false)).isEmpty();
    assertThat(AuthenticationCheck.complaint(Set.of(), true, false)).isEmpty();
  }
}
