package io.onceflow.launcher.testing;

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
import jakarta.inject.Inject;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules of a service's house, each shown on a class planted to break it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class HouseLaws {

  private final String root;
  private final JavaClasses house;
  private @Nullable JavaClasses withOffenders;

  /**
   * @param root the service's package, which its features lie in
   */
  protected HouseLaws(String root) {
    this.root = root;
    this.house =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(root);
  }

  /** Each rule, and a test class of the service that breaks it. */
  protected abstract Stream<Arguments> rules();

  @ParameterizedTest
  @MethodSource("rules")
  void theHouseKeepsTheRule(ArchRule rule, Class<?> offender) {
    rule.check(house);
  }

  @ParameterizedTest
  @MethodSource("rules")
  void theRuleSeesWhoBreaksIt(ArchRule rule, Class<?> offender) {
    assertThat(rule.evaluate(withOffenders()).getFailureReport().getDetails())
        .as("what the rule finds with the planted classes")
        .anyMatch(found -> found.contains(offender.getName()));
  }

  /** The service's classes and all that are planted, imported once: that takes most of the time. */
  private JavaClasses withOffenders() {
    if (withOffenders == null) {
      List<String> planted =
          rules().map(rule -> ((Class<?>) rule.get()[1]).getName().replace('.', '/')).toList();
      withOffenders =
          new ClassFileImporter()
              .withImportOption(
                  location -> !isTest(location) || planted.stream().anyMatch(location::contains))
              .importPackages(root);
    }
    return withOffenders;
  }

  /** The service's classes, but for those of its tests. */
  protected final JavaClasses house() {
    return house;
  }

  /** Constraints of {@code jakarta.validation} are none: they say what a message may be. */
  protected final ArchRule domainKnowsNoFramework() {
    return knowsNothingOf(
        "domain",
        "io.quarkus..",
        "jakarta.annotation..",
        "jakarta.enterprise..",
        "jakarta.inject..",
        "jakarta.persistence..",
        "jakarta.transaction..",
        "jakarta.ws..",
        "java.sql..",
        "javax.sql..",
        "com.fasterxml..",
        "org.hibernate..",
        "org.eclipse.microprofile..");
  }

  protected final ArchRule apiKnowsNoMessaging() {
    return knowsNothingOf(
        "api", inHere("messaging"), "com.rabbitmq..", "org.eclipse.microprofile.reactive..");
  }

  protected final ArchRule logsGoOneWay() {
    return noClasses()
        .that()
        .resideInAPackage(root + "..")
        .and()
        // A filter of the log manager.
        .doNotImplement(java.util.logging.Filter.class)
        .should()
        .dependOnClassesThat(resideInAnyPackage("java.util.logging..", "org.slf4j.."));
  }

  protected final ArchRule nothingIsInjectedIntoFields() {
    return fields()
        .that()
        .areDeclaredInClassesThat()
        .resideInAPackage(root + "..")
        .should()
        .notBeAnnotatedWith(Inject.class);
  }

  /** What the product keeps in packages named {@code internal} may change with any version. */
  protected final ArchRule usesTheApiAlone() {
    return noClasses()
        .that()
        .resideInAPackage(root + "..")
        .should()
        .dependOnClassesThat(resideInAnyPackage("io.onceflow..internal.."));
  }

  protected final ArchRule packagesFormNoCycle() {
    return slices().matching(root + ".(*)..").should().beFreeOfCycles();
  }

  /**
   * @param feature a package of the service, by its last name
   * @param others packages as ArchUnit writes them
   */
  protected final ArchRule knowsNothingOf(String feature, String... others) {
    return noClasses()
        .that()
        .resideInAPackage(inHere(feature))
        .should()
        .dependOnClassesThat(resideInAnyPackage(others));
  }

  /** A package of the service, as ArchUnit writes it. */
  protected final String inHere(String feature) {
    return root + "." + feature + "..";
  }

  private static boolean isTest(Location location) {
    return !ImportOption.Predefined.DO_NOT_INCLUDE_TESTS.includes(location);
  }
}
