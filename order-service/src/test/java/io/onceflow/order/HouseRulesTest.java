package io.onceflow.order;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.onceflow.order.api.planted.AskingTheQueue;
import io.onceflow.order.domain.planted.KnowingTheFramework;
import io.onceflow.order.saga.planted.CallingBack;
import jakarta.inject.Inject;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules of this service's house, each shown on a class planted to break it. */
class HouseRulesTest {

  private static final ArchRule DOMAIN_KNOWS_NO_FRAMEWORK =
      noClasses()
          .that()
          .resideInAPackage("io.onceflow.order.domain..")
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(
                  "io.quarkus..",
                  "jakarta..",
                  "java.sql..",
                  "com.fasterxml..",
                  "org.hibernate..",
                  "io.onceflow.order.api..",
                  "io.onceflow.order.saga..",
                  "io.onceflow.order.messaging.."));

  private static final ArchRule API_KNOWS_NO_MESSAGING =
      noClasses()
          .that()
          .resideInAPackage("io.onceflow.order.api..")
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(
                  "io.onceflow.order.messaging..",
                  "com.rabbitmq..",
                  "org.eclipse.microprofile.reactive.."));

  private static final ArchRule SAGA_KNOWS_NEITHER_HTTP_NOR_THE_QUEUE =
      noClasses()
          .that()
          .resideInAPackage("io.onceflow.order.saga..")
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(
                  "jakarta.ws.rs..",
                  "org.eclipse.microprofile.reactive..",
                  "io.onceflow.order.api..",
                  "io.onceflow.order.messaging.."));

  private static final ArchRule PACKAGES_FORM_NO_CYCLE =
      slices().matching("io.onceflow.order.(*)..").should().beFreeOfCycles();

  private static final ArchRule NOTHING_IS_INJECTED_INTO_FIELDS =
      fields()
          .that()
          .areDeclaredInClassesThat()
          .resideInAPackage("io.onceflow.order..")
          .should()
          .notBeAnnotatedWith(Inject.class);

  static Stream<Arguments> rules() {
    return Stream.of(
        Arguments.of(DOMAIN_KNOWS_NO_FRAMEWORK, KnowingTheFramework.class),
        Arguments.of(API_KNOWS_NO_MESSAGING, AskingTheQueue.class),
        Arguments.of(SAGA_KNOWS_NEITHER_HTTP_NOR_THE_QUEUE, CallingBack.class),
        Arguments.of(NOTHING_IS_INJECTED_INTO_FIELDS, AskingTheQueue.class));
  }

  @ParameterizedTest
  @MethodSource("rules")
  void theHouseKeepsTheRule(ArchRule rule, Class<?> offender) {
    rule.check(house());
  }

  @ParameterizedTest
  @MethodSource("rules")
  void theRuleSeesWhoBreaksIt(ArchRule rule, Class<?> offender) {
    JavaClasses planted = new ClassFileImporter().importClasses(offender);

    assertThat(rule.evaluate(planted).hasViolation()).isTrue();
  }

  @Test
  void packagesFormNoCycle() {
    PACKAGES_FORM_NO_CYCLE.check(house());

    JavaClasses withCycle =
        new ClassFileImporter()
            .importPackages("io.onceflow.order.saga", "io.onceflow.order.messaging");
    assertThat(PACKAGES_FORM_NO_CYCLE.evaluate(withCycle).hasViolation())
        .as("the planted CallingBack closes a cycle")
        .isTrue();
  }

  private static JavaClasses house() {
    return new ClassFileImporter()
        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
        .importPackages("io.onceflow.order");
  }
}
