package io.onceflow.quarkus.refused;

import io.quarkus.test.QuarkusUnitTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("nightly")
class MissingTransportTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      Refused.with(
              "onceflow.transport is 'messaging', but the application does not depend on"
                  + " io.onceflow:onceflow-messaging",
              MissingTransportTest.class)
          .overrideConfigKey("onceflow.transport", "messaging");

  @Test
  void failsTheBuild() {
    Refused.shouldNotHaveStarted();
  }
}
