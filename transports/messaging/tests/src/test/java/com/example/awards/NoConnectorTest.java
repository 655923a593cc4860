package com.example.awards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.quarkus.test.QuarkusUnitTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A channel that nothing sends. */
@Tag("nightly")
class NoConnectorTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      AwardsApplication.withoutConnector("awards_nowhere")
          .assertException(
              failure ->
                  assertThat(failure)
                      .hasMessageContaining(
                          "channel points-awarded has an OutboxEmitter and no connector to send by;"
                              + " set mp.messaging.outgoing.points-awarded.connector"));

  @Test
  void keepsTheApplicationFromStarting() {
    fail("it should not have started");
  }
}
