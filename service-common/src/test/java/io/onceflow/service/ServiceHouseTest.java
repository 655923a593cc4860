package io.onceflow.service;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchRule;
import io.onceflow.service.http.planted.Meddling;
import io.onceflow.service.testing.HouseLaws;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.Arguments;

/** And the public face of the module that all services have. */
class ServiceHouseTest extends HouseLaws {

  private static final ArchRule FEATURES_DO_NOT_KNOW_EACH_OTHER =
      slices().matching("io.onceflow.service.(*)..").should().notDependOnEachOther();

  ServiceHouseTest() {
    super("io.onceflow.service");
  }

  @Override
  protected Stream<Arguments> rules() {
    return Stream.of(
        arguments(FEATURES_DO_NOT_KNOW_EACH_OTHER, Meddling.class),
        arguments(logsGoOneWay(), Meddling.class),
        arguments(nothingIsInjectedIntoFields(), Meddling.class));
  }

  /** What services may name. Whoever adds a word here makes a promise. */
  @Test
  void itsPublicFaceIsSmall() {
    assertThat(house())
        .filteredOn(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
        .extracting(JavaClass::getSimpleName)
        .containsExactlyInAnyOrder(
            "OrderId",
            "Page",
            "ExplainedProblem",
            "BoundedList",
            "CountryCode",
            "CurrencyCode",
            "PlainText",
            "ValidElements",
            // Public because the configuration, the log manager, JAX-RS and the service loader need
            // it.
            "PrintableLines",
            "HttpConfig",
            "Connections",
            "Body",
            "JsonBodies",
            "UnreadableBodies",
            "UnreadableMediaType",
            "ElementsInOrder",
            "Validator",
            "Validator",
            "QueryParameters",
            "StrictServer");
  }
}
