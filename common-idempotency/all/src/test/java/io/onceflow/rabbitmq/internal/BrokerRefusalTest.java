package io.onceflow.rabbitmq.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.onceflow.outbox.BrokerShipping;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponse.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A broker that refuses is somebody's mistake; one that is away is not, and passes. */
class BrokerRefusalTest {

  private static BrokerConnection by(int port, String password) {
    return TestBrokers.of(
        BrokerShipping.SERVERS.brokerHost(),
        port,
        BrokerShipping.SERVERS.brokerUser(),
        password,
        BrokerShipping.SERVERS.brokerVirtualHost());
  }

  @Test
  void aWrongPasswordIsNamedAndTakesTheServiceOutOfTraffic() {
    BrokerShipping.SERVERS.startBroker();
    BrokerConnection broker = by(BrokerShipping.SERVERS.brokerPort(), "wrong");
    assertThatIOException()
        .isThrownBy(broker::openChannel)
        .withMessageContaining("refuses user " + BrokerShipping.SERVERS.brokerUser());
    assertThat(broker.refusal()).isPresent();
    assertThat(TestBrokers.health(broker).getStatus()).isEqualTo(Status.DOWN);
  }

  @Test
  void aBrokerThatIsAwayDoesNot() {
    BrokerConnection nowhere = by(1, "wrong");
    assertThatExceptionOfType(IOException.class).isThrownBy(nowhere::openChannel);
    assertThat(nowhere.refusal()).isEmpty();
    assertThat(TestBrokers.health(nowhere).getStatus()).isEqualTo(Status.UP);
  }

  /** Such as one behind a firewall that drops its packets; probes and metrics ask meanwhile. */
  @Test
  @Timeout(60)
  void oneThatSaysNothingKeepsNobodyFromAskingHowTheServiceIs() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      BrokerConnection broker = TestBrokers.by(silent.getLocalPort(), BrokerShipping.SERVERS);
      CompletableFuture<Void> connecting =
          CompletableFuture.runAsync(() -> assertThatIOException().isThrownBy(broker::openChannel));
      try (Socket taken = silent.accept()) {
        HealthCheckResponse health =
            assertTimeoutPreemptively(Duration.ofSeconds(2), () -> TestBrokers.health(broker));
        assertThat(health.getStatus()).isEqualTo(Status.UP);
        assertThat(broker.isOpen()).isFalse();
        assertThat(taken.isConnected() && !connecting.isDone()).as("it still waits").isTrue();
      }
      connecting.join();
    }
  }
}
