package io.onceflow.quarkus.refused;

import io.quarkus.test.QuarkusUnitTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("nightly")
class UnknownTransportTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      Refused.with(
              "onceflow.transport is 'pigeons'; it is 'rabbitmq', 'local', 'messaging' or 'kafka'",
              UnknownTransportTest.class)
          .overrideConfigKey("onceflow.transport", "pigeons");

  @Test
  void failsTheBuild() {
    Refused.shouldNotHaveStarted();
  }
}
