package io.onceflow.messaging.transport.internal;

import io.onceflow.rabbitmq.internal.BrokerConfig;

/** Why an application does not start that is to connect by TLS through the connector. */
final class TlsUnverified extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  private TlsUnverified() {
    super(
        "onceflow.broker.tls.enabled is not for onceflow.transport=messaging: the connector's client"
            + " does not verify the name of the broker's host; use onceflow.transport=rabbitmq");
  }

  /**
   * @throws TlsUnverified when TLS is asked for
   */
  static void refuse(BrokerConfig config) {
    if (config.tls().enabled()) {
      throw new TlsUnverified();
    }
  }
}
