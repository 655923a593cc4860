package io.onceflow.idempotency;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The store's clock decides when a lease or an answer ends. Processes may disagree about the time
 * of day, so the guard never asks its own process for it; the steps of a stopwatch are allowed.
 */
class ClockRuleTest {

  private static final Set<String> TELLS_THE_TIME =
      Set.of(
          "java.time.Instant.now",
          "java.time.Clock.systemUTC",
          "java.time.Clock.systemDefaultZone",
          "java.time.LocalDateTime.now",
          "java.time.OffsetDateTime.now",
          "java.time.ZonedDateTime.now",
          "java.util.Date.<init>",
          "java.lang.System.currentTimeMillis");

  /** Redis's list of claims to look at is sorted by a guess; each record decides for itself. */
  private static final DescribedPredicate<JavaClass> NOTE_MORE_THAN_A_HINT =
      DescribedPredicate.describe(
          "note more than a hint", type -> !type.getSimpleName().equals("RedisLeases"));

  private static final ArchRule NOBODY_ASKS_THE_PROCESS_FOR_THE_TIME =
      noClasses()
          .that(NOTE_MORE_THAN_A_HINT)
          .should()
          .callCodeUnitWhere(
              DescribedPredicate.describe(
                  "tells the time of day", ClockRuleTest::tellsTheTimeOfDay));

  private static boolean tellsTheTimeOfDay(JavaCall<?> call) {
    return TELLS_THE_TIME.contains(
        call.getTargetOwner().getName() + "." + call.getTarget().getName());
  }

  @Test
  void theGuardNeverAsksItsProcessForTheTimeOfDay() {
    NOBODY_ASKS_THE_PROCESS_FOR_THE_TIME.check(
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages(
                "io.onceflow.core", "io.onceflow.idempotency", "io.onceflow.redis.internal"));
  }

  static final class AsksAtOnce {
    Instant now() {
      return Instant.now();
    }
  }

  static final class AsksAClock {
    Clock clock() {
      return Clock.systemUTC();
    }
  }

  static final class AsksTheSystem {
    long now() {
      return System.currentTimeMillis();
    }
  }

  @ParameterizedTest
  @ValueSource(classes = {AsksAtOnce.class, AsksAClock.class, AsksTheSystem.class})
  void theRuleSeesWhoDoes(Class<?> offender) {
    assertThat(
            NOBODY_ASKS_THE_PROCESS_FOR_THE_TIME
                .evaluate(new ClassFileImporter().importClasses(offender))
                .hasViolation())
        .isTrue();
  }
}
