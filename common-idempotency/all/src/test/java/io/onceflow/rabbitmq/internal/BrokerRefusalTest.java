package io.onceflow.rabbitmq.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.onceflow.outbox.Shipping;
import java.io.IOException;
import org.eclipse.microprofile.health.HealthCheckResponse.Status;
import org.junit.jupiter.api.Test;

/** A broker that refuses is somebody's mistake; one that is away is not, and passes. */
class BrokerRefusalTest {

  private static BrokerConnection by(int port, String password) {
    return TestBrokers.of(
        Shipping.SERVERS.brokerHost(),
        port,
        Shipping.SERVERS.brokerUser(),
        password,
        Shipping.SERVERS.brokerVirtualHost());
  }

  @Test
  void aWrongPasswordIsNamedAndTakesTheServiceOutOfTraffic() {
    Shipping.SERVERS.startBroker();
    BrokerConnection broker = by(Shipping.SERVERS.brokerPort(), "wrong");
    assertThatIOException()
        .isThrownBy(broker::openChannel)
        .withMessageContaining("refuses user " + Shipping.SERVERS.brokerUser());
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
}
