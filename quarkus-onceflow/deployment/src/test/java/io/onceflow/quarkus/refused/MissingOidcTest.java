package io.onceflow.quarkus.refused;

import io.quarkus.test.QuarkusUnitTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("nightly")
class MissingOidcTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      Refused.with(
              "onceflow.console.sign-in.enabled is true, but quarkus-oidc is missing",
              MissingOidcTest.class)
          .overrideConfigKey("onceflow.console.sign-in.enabled", "true")
          .overrideConfigKey("onceflow.transport", "local");

  @Test
  void failsTheBuild() {
    Refused.shouldNotHaveStarted();
  }
}
