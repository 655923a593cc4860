package com.example.awards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.example.points.KafkaBroker;
import io.quarkus.test.QuarkusUnitTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Settings with which a record would be acknowledged before it is safe. */
@Tag("nightly")
class RefusedOutgoingTest {

  private static final KafkaBroker KAFKA = KafkaBroker.named("RefusedOutgoingTest");

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      AwardsApplication.onKafka(KAFKA, "awards_refused")
          .overrideRuntimeConfigKey("mp.messaging.outgoing.points-awarded.acks", "1")
          .overrideRuntimeConfigKey(
              "mp.messaging.connector.smallrye-kafka.enable.idempotence", "false")
          .setAfterAllCustomizer(KAFKA::close)
          .assertException(
              failure ->
                  assertThat(failure)
                      .hasMessageContaining(
                          "mp.messaging.outgoing.points-awarded.acks is 1, but channel"
                              + " points-awarded is sent to by an OutboxEmitter, which needs all")
                      .hasMessageContaining("enable.idempotence is false"));

  @Test
  void keepTheApplicationFromStarting() {
    fail("it should not have started");
  }
}
