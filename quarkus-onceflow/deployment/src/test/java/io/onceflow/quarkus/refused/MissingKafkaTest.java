package io.onceflow.quarkus.refused;

import io.quarkus.test.QuarkusUnitTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class MissingKafkaTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      Refused.with(
              "onceflow.transport is 'kafka', but the application does not depend on"
                  + " io.onceflow:onceflow-kafka",
              MissingKafkaTest.class)
          .overrideConfigKey("onceflow.transport", "kafka");

  @Test
  void failsTheBuild() {
    Refused.shouldNotHaveStarted();
  }
}
