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
import jakarta.inject.Inject;
import java.util.Set;
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
  private static final String REDIS = "io.onceflow.redis..";
  private static final String RABBITMQ = "io.onceflow.rabbitmq..";

  /** What guard, outbox and inbox share. */
  private static final String[] SUPPORT = {
    "io.onceflow.batch..",
    "io.onceflow.database..",
    "io.onceflow.retention..",
    "io.onceflow.startup..",
    "io.onceflow.tracing..",
    "io.onceflow.watchdog.."
  };

  private static final JavaClasses HOUSE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          // Its helpers are in the packages of what they stand in for.
          .withImportOption(location -> !location.contains("/test-kit/"))
          .withImportOption(location -> !location.contains("/onceflow-test"))
          .importPackages(
              "io.onceflow.core",
              "io.onceflow.idempotency",
              "io.onceflow.redis",
              "io.onceflow.outbox",
              "io.onceflow.inbox",
              "io.onceflow.rabbitmq",
              "io.onceflow.batch",
              "io.onceflow.database",
              "io.onceflow.watchdog",
              "io.onceflow.retention",
              "io.onceflow.startup",
              "io.onceflow.tracing");

  /** What other modules may name. Whoever adds a word here makes a promise. */
  private static final Set<String> PUBLIC_FACE =
      Set.of(
          // The core.
          "IdempotencyKey",
          "Fingerprint",
          "CanonicalJson",
          "CanonicalNumber",
          "MalformedBody",
          // The guard.
          "Idempotent",
          "GuardedRequest",
          "Lease",
          "SharedWrite",
          "AbandonedClaim",
          "AbandonedClaimResolver",
          "AbandonedClaims",
          // Its stores.
          "IdempotencyStore",
          "SharedRecords",
          "Claim",
          "ClaimRequest",
          "ScopedKey",
          "Ownership",
          "StoredResponse",
          "CompletedResponse",
          "KeyState",
          "StoreProvider",
          "ResponseHeaders",
          "ScopeResolver",
          "CallerName",
          "Printable",
          "IdempotencyCleanup",
          "IdempotencyConfig",
          "AdmissionConfig",
          "Backpressure",
          "CallerLimits",
          // Its JAX-RS side, public because JAX-RS wants it so.
          "IdempotencyFilter",
          "AdmissionFilter",
          "CallerQuotaFilter",
          "ReplayingExceptionMapper",
          "ProblemPages",
          // Its OpenAPI side, public because SmallRye OpenAPI makes them.
          "OpenApiGuard",
          "OpenApiGuardPolicy",
          "IdempotencyKeyResource",
          // The outbox.
          "Outbox",
          "OutboxMessage",
          "MessageBundle",
          "MalformedBundle",
          "MessageHeaders",
          "UnitOfWork",
          "JtaUnitOfWork",
          "Transaction",
          "Relay",
          "OutboxConfig",
          "BrokerConnection",
          "BrokerConfig",
          "BrokerTopology",
          "Publisher",
          // What a transport needs of the outbox.
          "MessageTransport",
          "MessageChannel",
          "TransportRefusal",
          "BundlePolicy",
          "OutgoingMessage",
          // The inbox.
          "MessageSource",
          "InboxQueues",
          "Inbox",
          "StepKey",
          "ReplyOutcome",
          "Participant",
          "CommandHandler",
          "StepView",
          "StrictJson",
          "Decision",
          "ParticipantRepository",
          "IdempotentReceiver",
          "MessageReceiver",
          "ReceivedMessage",
          "BatchConsumer",
          "BatchSettler",
          "Delivery",
          "InboundMessage",
          "Parking",
          "ParkingReason",
          "Recovery",
          "ParkedMessage",
          "ParkedMessages",
          "ParkedMessageDetail",
          "RedriveService",
          "FailedMessages",
          "FailureKind",
          "UnreadablePayload",
          "DeferredMessages",
          "RedriveResult",
          "RedriveCheck",
          "HttpRedriveCheck",
          "SagasConfig",
          "InboxConfig",
          "InboxCleanup",
          // The bridge from RabbitMQ to the inbox.
          "RabbitConsumer",
          "RabbitQueue",
          "ConsumerConfig",
          "DeadLetters",
          // Loops and the database under watch.
          "DatabaseWatch",
          "LongStatements",
          "SocketDeadline",
          "UnboundedStart",
          "LoopWatch",
          "RequestBatcher",
          "BatchingLimits",
          // What a service waits for.
          "BrokerSettings",
          "DatabaseGate",
          "IssuerKey",
          // Garbage collection, shared by guard and inbox.
          "CollectedTable",
          "GarbageCollection",
          "GarbageCollectionConfig",
          "GarbageCollector",
          // The eyes: spans and log fields.
          "Tracing",
          "SpanSpec",
          "SpanScope",
          "LogContext",
          // What is thrown.
          "OnceflowException",
          "MalformedIdempotencyKey",
          "IdempotencyUnusable",
          "LeaseLost",
          "ResponseNotReplayable",
          "OutboxWriteFailed",
          "InboxUnusable",
          "LeaseInvalid",
          "RetentionInvalid",
          "UnprocessableMessage",
          "SagaQueryFailed",
          "CallNotPermitted",
          "Rejection");

  private static final DescribedPredicate<JavaClass> NOT_OF_THE_FACE =
      describe("are not of the public face", type -> !PUBLIC_FACE.contains(type.getSimpleName()));

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

  private static final ArchRule ONLY_THE_FACE_IS_PUBLIC =
      noClasses().that().areTopLevelClasses().and(NOT_OF_THE_FACE).should().bePublic();

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
        ONLY_THE_FACE_IS_PUBLIC,
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
            WHAT_IS_SHARED_KNOWS_NO_USER, io.onceflow.tracing.PlantedOffenders.knowsTheOutbox()),
        Arguments.of(
            THE_INBOX_KNOWS_NO_TRANSPORT, io.onceflow.inbox.PlantedOffenders.knowsTheTransport()),
        Arguments.of(
            THE_TRANSPORT_KNOWS_NO_GUARD, io.onceflow.rabbitmq.PlantedOffenders.knowsTheGuard()),
        Arguments.of(ONLY_THE_TRANSPORT_KNOWS_RABBITMQ, PlantedOffenders.KnowsTheTransport.class),
        Arguments.of(
            ONLY_THE_TRANSPORT_KNOWS_RABBITMQ, io.onceflow.inbox.PlantedOffenders.knowsTheClient()),
        Arguments.of(ONLY_REDIS_KNOWS_ITS_CLIENT, PlantedOffenders.KnowsRedis.class),
        Arguments.of(ONLY_THE_GUARD_KNOWS_HTTP, io.onceflow.outbox.PlantedOffenders.knowsHttp()),
        Arguments.of(ONLY_THE_GUARD_KNOWS_HTTP, io.onceflow.inbox.PlantedOffenders.knowsHttp()),
        Arguments.of(ONLY_THE_FACE_IS_PUBLIC, io.onceflow.outbox.PlantedOffenders.class),
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
    assertThat(HOUSE.stream().map(JavaClass::getSimpleName)).containsAll(PUBLIC_FACE);
  }
}
