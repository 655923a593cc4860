package io.onceflow.messaging.refused;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.quarkus.test.QuarkusUnitTest;

/** Applications with {@code @Once} whose build or start fails with a sentence. */
final class RefusedOnce {

  private RefusedOnce() {}

  /** An application of the classes within this one. */
  static QuarkusUnitTest with(Class<?> classes, String... sentences) {
    return new QuarkusUnitTest()
        .overrideConfigKey("quarkus.devservices.enabled", "false")
        .overrideConfigKey("onceflow.transport", "local")
        .overrideConfigKey("quarkus.messaging.auto-connector-attachment", "false")
        .withApplicationRoot(
            jar -> jar.addClasses(classes.getDeclaredClasses()).addClass(RefusedOnce.class))
        .assertException(failure -> assertThat(failure).hasMessageContainingAll(sentences));
  }

  static void shouldNotHaveStarted() {
    fail("the build should have failed");
  }
}
