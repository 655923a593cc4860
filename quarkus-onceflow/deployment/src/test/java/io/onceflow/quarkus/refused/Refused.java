package io.onceflow.quarkus.refused;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.quarkus.test.QuarkusUnitTest;

/** Applications whose build fails with a sentence. */
final class Refused {

  private Refused() {}

  /** An application of the classes within this one. */
  static QuarkusUnitTest with(String sentence, Class<?> classes) {
    return new QuarkusUnitTest()
        .overrideConfigKey("quarkus.devservices.enabled", "false")
        .withApplicationRoot(
            jar -> jar.addClasses(classes.getDeclaredClasses()).addClass(Refused.class))
        .assertException(failure -> assertThat(failure).hasMessageContaining(sentence));
  }

  static void shouldNotHaveStarted() {
    fail("the build should have failed");
  }
}
