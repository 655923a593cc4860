package io.onceflow.payment;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.lang.ArchRule;
import io.onceflow.payment.api.planted.AskingTheQueue;
import io.onceflow.payment.domain.planted.KnowingTheFramework;
import io.onceflow.payment.domain.planted.KnowingTheGateway;
import jakarta.inject.Inject;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules of this service's house, each shown on a class planted to break it. */
class PaymentHouseTest {

  private static final ArchRule DOMAIN_KNOWS_NO_FRAMEWORK =
      noClasses()
          .that()
          .resideInAPackage("io.onceflow.payment.domain..")
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(
                  "io.quarkus..",
                  "jakarta..",
                  "java.sql..",
                  "javax.sql..",
                  "com.fasterxml..",
                  "org.hibernate..",
                  "org.eclipse.microprofile.."));

  private static final ArchRule DOMAIN_KNOWS_ONLY_ITSELF =
      noClasses()
          .that()
          .resideInAPackage("io.onceflow.payment.domain..")
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(
                  "io.onceflow.payment.api..",
                  "io.onceflow.payment.gateway..",
                  "io.onceflow.payment.messaging.."));

  private static final ArchRule API_KNOWS_NO_MESSAGING =
      noClasses()
          .that()
          .resideInAPackage("io.onceflow.payment.api..")
          .should()
          .dependOnClassesThat(
              resideInAnyPackage("io.onceflow.payment.messaging..", "com.rabbitmq.."));

  private static final ArchRule LOGS_GO_ONE_WAY =
      noClasses()
          .that()
          .resideInAPackage("io.onceflow.payment..")
          .should()
          .dependOnClassesThat(resideInAnyPackage("java.util.logging..", "org.slf4j.."));

  private static final ArchRule NOTHING_IS_INJECTED_INTO_FIELDS =
      fields()
          .that()
          .areDeclaredInClassesThat()
          .resideInAPackage("io.onceflow.payment..")
          .should()
          .notBeAnnotatedWith(Inject.class);

  private static final ArchRule PACKAGES_FORM_NO_CYCLE =
      slices().matching("io.onceflow.payment.(*)..").should().beFreeOfCycles();

  static Stream<Arguments> rules() {
    return Stream.of(
        Arguments.of(DOMAIN_KNOWS_NO_FRAMEWORK, KnowingTheFramework.class),
        Arguments.of(DOMAIN_KNOWS_ONLY_ITSELF, KnowingTheGateway.class),
        Arguments.of(API_KNOWS_NO_MESSAGING, AskingTheQueue.class),
        Arguments.of(LOGS_GO_ONE_WAY, AskingTheQueue.class),
        Arguments.of(NOTHING_IS_INJECTED_INTO_FIELDS, AskingTheQueue.class),
        Arguments.of(PACKAGES_FORM_NO_CYCLE, KnowingTheGateway.class));
  }

  @ParameterizedTest
  @MethodSource("rules")
  void theHouseKeepsTheRule(ArchRule rule, Class<?> offender) {
    rule.check(house());
  }

  @ParameterizedTest
  @MethodSource("rules")
  void theRuleSeesWhoBreaksIt(ArchRule rule, Class<?> offender) {
    JavaClasses withOffender =
        new ClassFileImporter()
            .withImportOption(location -> !isTest(location) || location.contains(pathOf(offender)))
            .importPackages("io.onceflow.payment");

    assertThat(rule.evaluate(withOffender).hasViolation()).isTrue();
  }

  private static boolean isTest(Location location) {
    return !ImportOption.Predefined.DO_NOT_INCLUDE_TESTS.includes(location);
  }

  private static String pathOf(Class<?> offender) {
    return offender.getName().replace('.', '/');
  }

  private static JavaClasses house() {
    return new ClassFileImporter()
        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
        .importPackages("io.onceflow.payment");
  }
}
