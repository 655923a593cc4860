package io.onceflow.idempotency.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.onceflow.idempotency.BackgroundThings;
import io.onceflow.idempotency.OddThings;
import io.onceflow.idempotency.internal.recovery.AbandonedClaimResolvers;
import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.inject.Inject;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is looked at when the application starts, and refused before its first request. */
@QuarkusTest
@WithTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
@Timeout(60)
class GuardedOperationsTest {

  @Inject BeanManager beans;
  @Inject Policies policies;
  @Inject AbandonedClaimResolvers resolvers;
  @Inject GuardedOperations ofTheApplication;

  @Test
  void findsThoseOfTheApplication() {
    assertThat(ofTheApplication.names())
        .contains("ThingsResource.make", "LeasedThings.make", BackgroundThings.RESOLVED);
  }

  /** All but that there is no operation for this application's resolver. */
  @Test
  void acceptsWhatCanBeGuarded() {
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> check(OddThings.Sound.class))
        .withMessageMatching("(?s)[^\\n]*\\n[^\\n]*Verdicts[^\\n]*");
    assertThatCode(() -> check(OddThings.Sound.class, BackgroundThings.class))
        .doesNotThrowAnyException();
  }

  @Test
  void knowsWhatAResourceInheritsAndNotWhatItOverrides() {
    GuardedOperations operations = check(OddThings.Sound.class, BackgroundThings.class);
    assertThat(operations.names()).contains("inherited", "Sound.make", "Sound.described");
    assertThat(operations.names()).doesNotContain("overridden");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          notOverHttp          | answers no HTTP request
          text                 | returns String; let it return jakarta.ws.rs.core.Response
          stream               | returns Multi; let it return jakarta.ws.rs.core.Response
          stream               | streams its answer
          events               | streams its answer
          sink                 | streams its answer
          later                | streams its answer
          onTheEventLoop       | is @Idempotent and @NonBlocking
          leasedInATransaction | is @Idempotent(mode = LEASED) and @Transactional
          sharedInATransaction | is @Idempotent(mode = SHARED) and @Transactional
          apart                | would be committed apart
          unreadable           | its lease "30 seconds" is no ISO 8601 duration
          overBeforeItBegins   | its retention of PT0S is not positive
          another              | are both operation "the same"
          """)
  void refusesWhatCannot(String method, String why) {
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> check(OddThings.Unsound.class))
        .satisfies(
            refusal ->
                assertThat(String.valueOf(refusal.getMessage()).lines())
                    .anyMatch(line -> line.contains(method) && line.contains(why)));
  }

  @Test
  void refusesToGuardByASubclassWhatItsBaseDoesNotGuard() {
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> check(OddThings.Whole.class))
        .withMessageContaining("Base.helper is not @Idempotent")
        .withMessageContaining("Base.helper is @Idempotent but answers no HTTP request");
  }

  @Test
  void refusesAResolverOfWhatLeavesNothingBehind() throws Exception {
    Method transactional = OddThings.Sound.class.getMethod("make");
    assertThat(resolvers.faults(Map.of(BackgroundThings.RESOLVED, policies.of(transactional))))
        .singleElement()
        .asString()
        .contains("Verdicts", "is not @Idempotent(mode = LEASED)");
  }

  private GuardedOperations check(Class<?>... types) {
    GuardedOperations operations = new GuardedOperations(beans, policies, resolvers);
    operations.check(Stream.of(types));
    return operations;
  }
}
