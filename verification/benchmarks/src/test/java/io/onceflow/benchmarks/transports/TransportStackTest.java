package io.onceflow.benchmarks.transports;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.launcher.stack.BrokerKind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TransportStackTest {

  @ParameterizedTest
  @CsvSource({
    "RABBITMQ, quarkus-app, rabbitmq",
    "MESSAGING, quarkus-app-messaging, rabbitmq",
    "KAFKA, quarkus-app-kafka, kafka",
  })
  void eachIsStartedAsItIs(Transport transport, String packaged, BrokerKind broker) {
    assertThat(transport.packaged()).isEqualTo(packaged);
    assertThat(transport.broker()).isEqualTo(broker);
    // Not what the shell that starts the benchmark has in its environment.
    assertThat(TransportStack.settings()).containsEntry("ONCEFLOW_OUTBOX_RELAY", "poller");
  }
}
