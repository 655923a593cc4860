package io.onceflow.saga;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import io.onceflow.saga.internal.engine.SagaExecution;
import java.net.URL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The core, which is the module of the model, decides; it neither writes, sends, parses, waits,
 * looks at the clock nor throws dice.
 */
class FunctionalCoreTest {

  private static final ArchRule CORE_KNOWS_NO_SHELL =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.onceflow.saga", "io.onceflow.saga.internal", "io.onceflow.saga.internal.engine")
          .should()
          .dependOnClassesThat(
              resideInAPackage("java.sql..")
                  .or(resideInAPackage("javax.sql.."))
                  .or(resideInAPackage("jakarta.."))
                  .or(resideInAPackage("io.quarkus.."))
                  .or(resideInAPackage("com.fasterxml.jackson.."))
                  .or(
                      resideInAnyPackage(
                          "io.onceflow.saga.internal.(store|runtime|messaging|operators).."))
                  .or(nameMatching("java\\.time\\.(Clock|InstantSource)"))
                  .or(nameMatching("java\\.util\\.(Random|SplittableRandom|Timer)")))
          .orShould()
          .callMethodWhere(
              target(owner(resideInAPackage("java..")))
                  .and(target(nameMatching("now|nanoTime|currentTimeMillis|sleep|randomUUID"))));

  @Test
  void theCoreIsFunctional() {
    URL model = SagaExecution.class.getProtectionDomain().getCodeSource().getLocation();
    JavaClasses core = new ClassFileImporter().importUrl(model);

    assertThat(core.contain(SagaExecution.class)).isTrue();
    CORE_KNOWS_NO_SHELL.check(core);
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        PlantedOffenders.KnowsSql.class,
        PlantedOffenders.KnowsTheStore.class,
        PlantedOffenders.KnowsJakarta.class,
        PlantedOffenders.KnowsQuarkus.class,
        PlantedOffenders.KnowsJackson.class,
        PlantedOffenders.ReadsTheClock.class,
        PlantedOffenders.KeepsAClock.class,
        PlantedOffenders.ThrowsDice.class
      })
  void theRuleSeesEachWayToBreakIt(Class<?> offender) {
    JavaClasses planted = new ClassFileImporter().importClasses(offender);

    assertThat(CORE_KNOWS_NO_SHELL.evaluate(planted).hasViolation()).isTrue();
  }
}
