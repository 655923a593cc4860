package io.onceflow.quarkus.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.jboss.jandex.Index;
import org.junit.jupiter.api.Test;

/** A transport that the application's dependencies do not hold, since it excludes it. */
class TransportsTest {

  @Test
  void theDefaultIsMissedWhereItIsExcluded() throws IOException, ClassNotFoundException {
    Class<?> source = Class.forName("io.onceflow.rabbitmq.internal.RabbitSource");
    assertThat(Transports.missing(() -> "rabbitmq", Index.of(TransportsTest.class)))
        .contains(
            "onceflow.transport is 'rabbitmq', but the application does not depend on"
                + " io.onceflow:onceflow-rabbitmq");
    assertThat(Transports.missing(() -> "rabbitmq", Index.of(source))).isEmpty();
  }

  @Test
  void thatWithinTheApplicationIsNeverMissing() throws IOException {
    assertThat(Transports.missing(() -> "local", Index.of(TransportsTest.class))).isEmpty();
  }
}
