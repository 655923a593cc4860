package io.onceflow.saga;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.onceflow.saga.internal.store.planted.KnowingTheRunner;
import org.junit.jupiter.api.Test;

/** The store knows no runner, the runners know neither the broker nor REST. */
class RuntimeHouseTest {

  private static final String ROOT = "io.onceflow.saga";

  private static final ArchRule THE_STORE_KNOWS_NO_RUNNER =
      noClasses()
          .that()
          .resideInAPackage(ROOT + ".internal.store..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(ROOT + ".internal.(runtime|messaging|operators)..");

  private static final ArchRule RUNNERS_KNOW_NEITHER_BROKER_NOR_REST =
      noClasses()
          .that()
          .resideInAPackage(ROOT + ".internal.runtime..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "jakarta.ws.rs..", "com.rabbitmq..", ROOT + ".internal.(messaging|operators)..");

  private static final ArchRule PACKAGES_FORM_NO_CYCLE =
      slices().matching(ROOT + ".internal.(*)..").should().beFreeOfCycles();

  private final JavaClasses house =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages(ROOT);

  @Test
  void theHouseKeepsItsRules() {
    THE_STORE_KNOWS_NO_RUNNER.check(house);
    RUNNERS_KNOW_NEITHER_BROKER_NOR_REST.check(house);
    PACKAGES_FORM_NO_CYCLE.check(house);
  }

  @Test
  void theRuleSeesAStoreThatKnowsARunner() {
    JavaClasses planted = new ClassFileImporter().importClasses(KnowingTheRunner.class);

    assertThat(THE_STORE_KNOWS_NO_RUNNER.evaluate(planted).hasViolation()).isTrue();
  }
}
