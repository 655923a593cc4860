package com.example.points;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.quarkus.test.QuarkusUnitTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A setting with which messages would be acknowledged before they are settled. */
@Tag("nightly")
class RefusedSettingTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      PointsApplication.onKafka()
          .overrideRuntimeConfigKey("mp.messaging.incoming.orders.enable.auto.commit", "true")
          .assertException(
              failure ->
                  assertThat(failure)
                      .hasMessageContaining(
                          "mp.messaging.incoming.orders.enable.auto.commit is true, but channel"
                              + " orders is read by an @Once method, which needs false"));

  @Test
  void keepsTheApplicationFromStarting() {
    fail("it should not have started");
  }
}
