package io.onceflow.rabbitmq.internal;

import io.onceflow.core.internal.OnceflowException;

/** A service without an address of its broker does not start: a default would be another broker. */
final class BrokerSettingMissing extends OnceflowException {

  private static final long serialVersionUID = 1L;

  BrokerSettingMissing(String name) {
    super(
        "%s is not set; it has no default in production. Set %s in the environment"
            .formatted(name, name.toUpperCase(java.util.Locale.ROOT).replace('-', '_')));
  }
}
