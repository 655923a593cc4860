package io.onceflow.kafka.internal;

import io.onceflow.core.internal.OnceflowException;

/** A service without an address of its broker does not start: a default would be another broker. */
final class KafkaSettingMissing extends OnceflowException {

  private static final long serialVersionUID = 1L;

  KafkaSettingMissing() {
    super(
        "kafka.bootstrap.servers is not set; it has no default in production. Set"
            + " KAFKA_BOOTSTRAP_SERVERS in the environment");
  }
}
