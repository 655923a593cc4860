package io.onceflow.benchmarks.transports;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.quickstart.servers.WalLevel;
import io.onceflow.quickstart.stack.BrokerKind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TransportStackTest {

  @ParameterizedTest
  @CsvSource({
    "RABBITMQ, quarkus-app, rabbitmq, poller, REPLICA",
    "CDC, quarkus-app, rabbitmq, cdc, LOGICAL",
    "MESSAGING, quarkus-app-messaging, rabbitmq, poller, REPLICA",
    "KAFKA, quarkus-app-kafka, kafka, poller, REPLICA",
  })
  void eachIsStartedAsItIs(
      Transport transport, String packaged, BrokerKind broker, String relay, WalLevel walLevel) {
    assertThat(transport.packaged()).isEqualTo(packaged);
    assertThat(transport.broker()).isEqualTo(broker);
    assertThat(transport.walLevel()).isEqualTo(walLevel);
    // Not what the shell that starts the benchmark has in its environment.
    assertThat(TransportStack.settings(transport)).containsEntry("ONCEFLOW_OUTBOX_RELAY", relay);
  }
}
