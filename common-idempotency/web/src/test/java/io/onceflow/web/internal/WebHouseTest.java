package io.onceflow.web.internal;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.tngtech.archunit.lang.ArchRule;
import io.onceflow.launcher.testing.HouseLaws;
import io.onceflow.web.internal.http.planted.Meddling;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** The module, whose features do not know each other. */
class WebHouseTest extends HouseLaws {

  private static final ArchRule FEATURES_DO_NOT_KNOW_EACH_OTHER =
      slices().matching("io.onceflow.web.internal.(*)..").should().notDependOnEachOther();

  WebHouseTest() {
    super("io.onceflow.web.internal");
  }

  @Override
  protected Stream<Arguments> rules() {
    return Stream.of(
        arguments(FEATURES_DO_NOT_KNOW_EACH_OTHER, Meddling.class),
        arguments(logsGoOneWay(), Meddling.class),
        arguments(nothingIsInjectedIntoFields(), Meddling.class));
  }
}
