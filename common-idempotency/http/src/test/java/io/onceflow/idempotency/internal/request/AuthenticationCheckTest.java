package io.onceflow.idempotency.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

/** The warning at start of an application whose guarded operations no caller can use. */
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
