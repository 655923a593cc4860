package io.onceflow.messaging.transport.internal;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.onceflow.rabbitmq.internal.BrokerConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import org.junit.jupiter.api.Test;

/** The connector's client would encrypt, and not look at whom it talks to. */
class TlsUnverifiedTest {

  @Test
  void refusesTls() {
    assertThatExceptionOfType(TlsUnverified.class)
        .isThrownBy(() -> TlsUnverified.refuse(config(true)))
        .withMessageContaining("onceflow.transport=rabbitmq");
  }

  @Test
  void hasNothingAgainstAnUnencryptedBroker() {
    assertThatCode(() -> TlsUnverified.refuse(config(false))).doesNotThrowAnyException();
  }

  private static BrokerConfig config(boolean tls) {
    return new SmallRyeConfigBuilder()
        .withMapping(BrokerConfig.class)
        .withDefaultValue("onceflow.broker.tls.enabled", Boolean.toString(tls))
        .build()
        .getConfigMapping(BrokerConfig.class);
  }
}
