package io.onceflow.messaging.transport.internal;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.onceflow.rabbitmq.internal.BrokerConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import org.junit.jupiter.api.Test;

/** The connector's client would encrypt, and not look at whom it talks to. */
class TlsUnverifiedTest {

  @Test
  void refusesTls() {
    assertThatIllegalStateException()
        .isThrownBy(() -> transport(true))
        .withMessageContaining("onceflow.transport=rabbitmq");
  }

  @Test
  void hasNothingAgainstAnUnencryptedBroker() {
    assertThatCode(() -> transport(false)).doesNotThrowAnyException();
  }

  @SuppressWarnings("NullAway") // nothing is sent
  private static MessagingTransport transport(boolean tls) {
    BrokerConfig config =
        new SmallRyeConfigBuilder()
            .withMapping(BrokerConfig.class)
            .withDefaultValue("onceflow.broker.tls.enabled", Boolean.toString(tls))
            .build()
            .getConfigMapping(BrokerConfig.class);
    return new MessagingTransport(null, null, config);
  }
}
