package io.onceflow.quarkus.refused;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.quarkus.test.QuarkusUnitTest;
import java.util.List;
import java.util.stream.Stream;

/** Applications whose build fails with a sentence. */
final class Refused {

  private Refused() {}

  /** An application of the classes within this one. */
  static QuarkusUnitTest with(String sentence, Class<?> classes) {
    return with(List.of(sentence), classes);
  }

  /** The same, where several mistakes are told, or one in several parts. */
  static QuarkusUnitTest with(List<String> sentences, Class<?> classes) {
    return new QuarkusUnitTest()
        .overrideConfigKey("quarkus.devservices.enabled", "false")
        .withApplicationRoot(
            jar -> jar.addClasses(within(classes).toArray(Class[]::new)).addClass(Refused.class))
        .assertException(
            failure ->
                assertThat(failure).hasMessageContainingAll(sentences.toArray(String[]::new)));
  }

  private static Stream<Class<?>> within(Class<?> outer) {
    return Stream.of(outer.getDeclaredClasses())
        .flatMap(inner -> Stream.concat(Stream.of(inner), within(inner)));
  }

  static void shouldNotHaveStarted() {
    fail("the build should have failed");
  }
}
