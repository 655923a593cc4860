package io.onceflow.rabbitmq.internal;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** As by default, with the right to declare. */
record TestBrokerConfig(BrokerConfig.Tls tls) implements BrokerConfig {

  @Override
  public boolean declare() {
    return true;
  }

  @Override
  public int maxMessageSize() {
    return 1024 * 1024;
  }

  @Override
  public Optional<URI> management() {
    return Optional.empty();
  }

  @Override
  public Map<String, List<String>> sends() {
    return Map.of();
  }
}
