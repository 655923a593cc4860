package io.onceflow.rabbitmq.internal;

import io.onceflow.core.internal.OnceflowException;
import java.util.Locale;

/** A service without an address of its broker does not start: a default would be another broker. */
public final class BrokerSettingMissing extends OnceflowException {

  private static final long serialVersionUID = 1L;

  /**
   * @param name of the property
   */
  public BrokerSettingMissing(String name) {
    super(
        "%s is not set; it has no default in production. Set %s in the environment"
            .formatted(name, name.toUpperCase(Locale.ROOT).replaceAll("[.-]", "_")));
  }
}
