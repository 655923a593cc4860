package io.onceflow.saga;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The product's API is small, and so are its packages. */
class PublicApiTest {

  private static final int LARGEST_PACKAGE = 30;

  /** Twenty-nine, and the words that a definition has besides steps. */
  private static final int MOST_TYPES = 37;

  /**
   * What applications may use; the extension adds {@code io.onceflow.parked.Redaction}, and {@code
   * io.onceflow.web} three types. All other public types are in packages named {@code internal}.
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
          "io.onceflow.saga.Choice",
          "io.onceflow.saga.ItemSteps",
          "io.onceflow.saga.Limit",
          "io.onceflow.saga.Retry",
          "io.onceflow.saga.Saga",
          "io.onceflow.saga.SagaDefinition",
          "io.onceflow.saga.SagaLimits",
          "io.onceflow.saga.SagaMigration",
          "io.onceflow.saga.Step",
          "io.onceflow.saga.Wait",
          "io.onceflow.saga.SagaRepository",
          "io.onceflow.saga.SagaView",
          "io.onceflow.saga.Sagas",
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
        .hasSizeLessThanOrEqualTo(MOST_TYPES);
  }

  /**
   * Types that still show what is internal: a step's key, the rows of a participant and the reason
   * of parking. None may be added.
   */
  private static final Set<String> STILL_SHOWING_INTERNALS =
      Set.of(
          "io.onceflow.participant.Answer$UnprocessableMessage",
          "io.onceflow.participant.CallKey",
          "io.onceflow.participant.RecordTable");

  /** Seen red: 31 members of 13 types, {@code Sagas} and {@code Step.Send} among them. */
  @Test
  void showsNothingInternal() {
    Map<String, List<String>> showing =
        PRODUCT.stream()
            .filter(PublicApiTest::isApi)
            .filter(type -> type.getEnclosingClass().map(PublicApiTest::isApi).orElse(true))
            .flatMap(type -> internalsShownBy(type).map(shown -> Map.entry(type.getName(), shown)))
            .collect(
                Collectors.groupingBy(
                    Map.Entry::getKey,
                    TreeMap::new,
                    Collectors.mapping(Map.Entry::getValue, Collectors.toList())));

    assertThat(showing).containsOnlyKeys(STILL_SHOWING_INTERNALS);
  }

  private static Stream<String> internalsShownBy(JavaClass type) {
    Stream<Shown> supers =
        Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream())
            .map(it -> new Shown("its super type", it));
    Stream<Shown> members =
        Stream.concat(type.getMethods().stream(), type.getConstructors().stream())
            .filter(PublicApiTest::isVisible)
            .flatMap(PublicApiTest::shownBy);
    Stream<Shown> fields =
        type.getFields().stream()
            .filter(PublicApiTest::isVisible)
            .map(field -> new Shown(field.getName(), field.getType()));
    return Stream.of(supers, members, fields)
        .flatMap(shown -> shown)
        .flatMap(
            shown ->
                shown.type().getAllInvolvedRawTypes().stream()
                    .filter(PublicApiTest::isInternal)
                    .map(internal -> shown.where() + ": " + internal.getName()));
  }

  private record Shown(String where, JavaType type) {}

  private static Stream<Shown> shownBy(JavaCodeUnit member) {
    return Stream.of(
            member.getParameterTypes().stream(),
            Stream.of(member.getReturnType()),
            member.getExceptionTypes().stream())
        .flatMap(types -> types)
        .map(type -> new Shown(member.getName(), type));
  }

  private static boolean isVisible(JavaMember member) {
    return member.getModifiers().contains(JavaModifier.PUBLIC)
        || member.getModifiers().contains(JavaModifier.PROTECTED);
  }

  private static boolean isInternal(JavaClass type) {
    return type.getPackageName().matches("io[.]onceflow[.].*internal([.].*)?");
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
