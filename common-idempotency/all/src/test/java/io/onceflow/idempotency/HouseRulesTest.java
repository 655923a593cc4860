package io.onceflow.idempotency;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.onceflow.idempotency.internal.execution.Guard;
import jakarta.inject.Inject;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules of this module's house, each proven on classes that break it. */
class HouseRulesTest {

  private static final String IDEMPOTENCY = "io.onceflow.idempotency..";
  private static final String OUTBOX = "io.onceflow.outbox..";
  private static final String INBOX = "io.onceflow.inbox..";
  private static final String CORE = "io.onceflow.core..";
  private static final String REDIS = "io.onceflow.redis.internal..";
  private static final String RABBITMQ = "io.onceflow.rabbitmq.internal..";

  /** What guard, outbox and inbox share. */
  private static final String SUPPORT = "io.onceflow.internal..";

  private static final JavaClasses HOUSE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("-tests.jar"))
          // Its helpers are in the packages of what they stand in for.
          .withImportOption(location -> !location.contains("/test-kit/"))
          .withImportOption(location -> !location.contains("/onceflow-test"))
          .importPackages(
              "io.onceflow.core",
              "io.onceflow.message",
              "io.onceflow.idempotency",
              "io.onceflow.redis",
              "io.onceflow.outbox",
              "io.onceflow.inbox",
              "io.onceflow.participant",
              "io.onceflow.rabbitmq",
              "io.onceflow.internal");

  /** The largest number of classes in a package. */
  private static final int LARGEST_PACKAGE = 30;

  /** What applications may use. Other public types are in packages named {@code internal}. */
  private static final Set<String> API =
      Set.of(
          "IdempotencyKey",
          "ScopeResolver",
          "Command",
          "Done",
          "Refused",
          "Undoes",
          "Idempotent",
          "GuardedRequest",
          "Lease",
          "AbandonedClaimResolver",
          "CallerLimits",
          "LargeAnswer",
          "Outbox",
          "Transactions",
          "OutboxMessage",
          "Answer",
          "CallKey",
          "CallsOut",
          "Handles",
          "PendingSteps",
          "RecordTable");

  private static final DescribedPredicate<JavaClass> NOT_OF_THE_API =
      describe("are not of the API", type -> !API.contains(type.getSimpleName()));

  private static final ArchRule CORE_KNOWS_NOTHING_ELSE =
      noClasses()
          .that()
          .resideInAPackage(CORE)
          .should()
          .dependOnClassesThat(
              resideOutsideOfPackages(
                  CORE, "java..", "org.jspecify.annotations..", "com.fasterxml.jackson.core.."));

  private static final ArchRule WHAT_IS_SHARED_KNOWS_NO_USER =
      noClasses()
          .that()
          .resideInAnyPackage(SUPPORT)
          .should()
          .dependOnClassesThat(resideInAnyPackage(IDEMPOTENCY, REDIS, OUTBOX, INBOX, RABBITMQ));

  private static final ArchRule THE_GUARD_KNOWS_NEITHER_BOX =
      noClasses()
          .that()
          .resideInAPackage(IDEMPOTENCY)
          .should()
          .dependOnClassesThat(resideInAnyPackage(REDIS, OUTBOX, INBOX, RABBITMQ));

  private static final ArchRule THE_OUTBOX_KNOWS_NO_INBOX =
      noClasses()
          .that()
          .resideInAPackage(OUTBOX)
          .should()
          .dependOnClassesThat(resideInAnyPackage(INBOX, RABBITMQ, IDEMPOTENCY, REDIS));

  private static final ArchRule THE_INBOX_KNOWS_NO_TRANSPORT =
      noClasses()
          .that()
          .resideInAPackage(INBOX)
          .should()
          .dependOnClassesThat(resideInAnyPackage(RABBITMQ, IDEMPOTENCY, REDIS));

  private static final ArchRule THE_TRANSPORT_KNOWS_NO_GUARD =
      noClasses()
          .that()
          .resideInAPackage(RABBITMQ)
          .should()
          .dependOnClassesThat(resideInAnyPackage(IDEMPOTENCY, REDIS));

  private static final ArchRule ONLY_THE_TRANSPORT_KNOWS_RABBITMQ =
      noClasses()
          .that()
          .resideOutsideOfPackage(RABBITMQ)
          .should()
          .dependOnClassesThat(resideInAPackage("com.rabbitmq.."));

  private static final ArchRule ONLY_REDIS_KNOWS_ITS_CLIENT =
      noClasses()
          .that()
          .resideOutsideOfPackage(REDIS)
          .should()
          .dependOnClassesThat(resideInAPackage("io.vertx.redis.."));

  private static final ArchRule ONLY_THE_GUARD_KNOWS_HTTP =
      noClasses()
          .that()
          .resideOutsideOfPackage(IDEMPOTENCY)
          .should()
          .dependOnClassesThat(
              resideInAPackage("jakarta.ws.rs..").or(resideInAPackage("io.vertx.core.http..")));

  private static final ArchRule ONLY_THE_API_IS_PUBLIC =
      noClasses()
          .that()
          .areTopLevelClasses()
          .and(NOT_OF_THE_API)
          .and()
          .resideOutsideOfPackage("..internal..")
          .should()
          .bePublic();

  private static final ArchRule ONE_LOG =
      noClasses().should().dependOnClassesThat(resideInAPackage("java.util.logging.."));

  private static final ArchRule NO_FIELD_INJECTION =
      fields()
          .should()
          .notBeAnnotatedWith(Inject.class)
          .andShould()
          .notBeAnnotatedWith(ConfigProperty.class);

  static Stream<ArchRule> rules() {
    return Stream.of(
        CORE_KNOWS_NOTHING_ELSE,
        WHAT_IS_SHARED_KNOWS_NO_USER,
        THE_GUARD_KNOWS_NEITHER_BOX,
        THE_OUTBOX_KNOWS_NO_INBOX,
        THE_INBOX_KNOWS_NO_TRANSPORT,
        THE_TRANSPORT_KNOWS_NO_GUARD,
        ONLY_THE_TRANSPORT_KNOWS_RABBITMQ,
        ONLY_REDIS_KNOWS_ITS_CLIENT,
        ONLY_THE_GUARD_KNOWS_HTTP,
        ONLY_THE_API_IS_PUBLIC,
        ONE_LOG,
        NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS,
        NO_FIELD_INJECTION);
  }

  @ParameterizedTest
  @MethodSource("rules")
  void areKept(ArchRule rule) {
    assertThat(HOUSE.contain(Guard.class)).isTrue();
    assertThat(HOUSE.contain(HouseRulesTest.class)).isFalse();
    rule.check(HOUSE);
  }

  static Stream<Arguments> offenders() {
    return Stream.of(
        Arguments.of(THE_GUARD_KNOWS_NEITHER_BOX, PlantedOffenders.KnowsTheOutbox.class),
        Arguments.of(THE_GUARD_KNOWS_NEITHER_BOX, PlantedOffenders.KnowsTheInbox.class),
        Arguments.of(
            THE_OUTBOX_KNOWS_NO_INBOX, io.onceflow.outbox.PlantedOffenders.knowsTheInbox()),
        Arguments.of(CORE_KNOWS_NOTHING_ELSE, io.onceflow.core.PlantedOffenders.knowsCdi()),
        Arguments.of(
            WHAT_IS_SHARED_KNOWS_NO_USER,
            io.onceflow.internal.tracing.PlantedOffenders.knowsTheOutbox()),
        Arguments.of(
            THE_INBOX_KNOWS_NO_TRANSPORT, io.onceflow.inbox.PlantedOffenders.knowsTheTransport()),
        Arguments.of(
            THE_TRANSPORT_KNOWS_NO_GUARD,
            io.onceflow.rabbitmq.internal.PlantedOffenders.knowsTheGuard()),
        Arguments.of(ONLY_THE_TRANSPORT_KNOWS_RABBITMQ, PlantedOffenders.KnowsTheTransport.class),
        Arguments.of(
            ONLY_THE_TRANSPORT_KNOWS_RABBITMQ, io.onceflow.inbox.PlantedOffenders.knowsTheClient()),
        Arguments.of(ONLY_REDIS_KNOWS_ITS_CLIENT, PlantedOffenders.KnowsRedis.class),
        Arguments.of(ONLY_THE_GUARD_KNOWS_HTTP, io.onceflow.outbox.PlantedOffenders.knowsHttp()),
        Arguments.of(ONLY_THE_GUARD_KNOWS_HTTP, io.onceflow.inbox.PlantedOffenders.knowsHttp()),
        Arguments.of(ONLY_THE_API_IS_PUBLIC, io.onceflow.outbox.PlantedOffenders.class),
        Arguments.of(ONE_LOG, PlantedOffenders.LogsPastTheLog.class),
        Arguments.of(NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS, PlantedOffenders.PrintsOut.class),
        Arguments.of(
            NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS, PlantedOffenders.PrintsErrors.class),
        Arguments.of(
            NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS, PlantedOffenders.PrintsStackTraces.class),
        Arguments.of(NO_FIELD_INJECTION, PlantedOffenders.InjectsAField.class),
        Arguments.of(NO_FIELD_INJECTION, PlantedOffenders.InjectsConfiguration.class));
  }

  @ParameterizedTest
  @MethodSource("offenders")
  void seeEachWayToBreakThem(ArchRule rule, Class<?> offender) {
    JavaClasses planted = new ClassFileImporter().importClasses(offender);
    assertThat(rule.evaluate(planted).hasViolation()).isTrue();
  }

  @Test
  void promiseNothingThatIsNotThere() {
    assertThat(
            HOUSE.stream()
                .filter(type -> !type.getPackageName().contains(".internal"))
                .map(JavaClass::getSimpleName))
        .containsAll(API);
  }

  @Test
  void noPackageIsLarge() {
    Map<String, Long> sizes =
        HOUSE.stream()
            .filter(JavaClass::isTopLevelClass)
            .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));

    assertThat(sizes).containsKey("io.onceflow.idempotency.internal.store");
    assertThat(sizes)
        .allSatisfy((name, classes) -> assertThat(classes).isLessThanOrEqualTo(LARGEST_PACKAGE));
  }
}
