package io.onceflow.saga;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The product's API is small, and so are its packages. */
class PublicApiTest {

  private static final int LARGEST_PACKAGE = 30;

  /**
   * What applications may use; the extension adds {@code io.onceflow.parked.Redaction}. All other
   * public types are in packages named {@code internal}.
   */
  private static final List<String> API =
      List.of(
          "io.onceflow.core.IdempotencyKey",
          "io.onceflow.core.ScopeResolver",
          "io.onceflow.idempotency.AbandonedClaimResolver",
          "io.onceflow.idempotency.CallerLimits",
          "io.onceflow.idempotency.GuardedRequest",
          "io.onceflow.idempotency.Idempotent",
          "io.onceflow.idempotency.LargeAnswer",
          "io.onceflow.idempotency.Lease",
          "io.onceflow.message.Command",
          "io.onceflow.message.Done",
          "io.onceflow.message.Refused",
          "io.onceflow.message.Undoes",
          "io.onceflow.outbox.Outbox",
          "io.onceflow.outbox.OutboxMessage",
          "io.onceflow.outbox.Transactions",
          "io.onceflow.participant.Answer",
          "io.onceflow.participant.CallKey",
          "io.onceflow.participant.CallsOut",
          "io.onceflow.participant.Handles",
          "io.onceflow.participant.PendingSteps",
          "io.onceflow.participant.RecordTable",
          "io.onceflow.saga.Saga",
          "io.onceflow.saga.SagaDefinition",
          "io.onceflow.saga.Step",
          "io.onceflow.saga.api.SagaRepository",
          "io.onceflow.saga.api.SagaView",
          "io.onceflow.saga.api.Sagas",
          "io.onceflow.sql.Column",
          "io.onceflow.sql.ExpiringTable",
          "io.onceflow.sql.Sql");

  private static final JavaClasses PRODUCT =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("-tests.jar"))
          .withImportOption(location -> !location.contains("/io/onceflow/test/"))
          .withImportOption(location -> !location.contains("/io/onceflow/launcher/"))
          .importPackages("io.onceflow");

  @Test
  void hasTheseTypesAndNoOthers() {
    assertThat(topLevel().filter(PublicApiTest::isApi).map(JavaClass::getName))
        .containsExactlyInAnyOrderElementsOf(API)
        .hasSizeLessThanOrEqualTo(30);
  }

  @Test
  void noPackageIsLarge() {
    Map<String, Long> sizes =
        topLevel().collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));

    assertThat(sizes).containsKeys("io.onceflow.saga", "io.onceflow.inbox.internal");
    assertThat(sizes.entrySet())
        .allSatisfy(size -> assertThat(size.getValue()).isLessThanOrEqualTo(LARGEST_PACKAGE));
  }

  private static Stream<JavaClass> topLevel() {
    return PRODUCT.stream()
        .filter(JavaClass::isTopLevelClass)
        .filter(type -> !type.getSimpleName().equals("package-info"))
        .filter(type -> !type.getSimpleName().contains("_")); // written by the build
  }

  private static boolean isApi(JavaClass type) {
    return type.getModifiers().contains(JavaModifier.PUBLIC)
        && !type.getPackageName().matches(".*\\.internal(\\..*)?");
  }
}
