package io.onceflow.systemtests;

import io.onceflow.launcher.testing.TestServers;
import java.util.Map;

/** RabbitMQ in a container, or the embedded broker; it ends with the servers. */
record RabbitServer(TestServers servers) implements BrokerServer {

  @Override
  public Map<String, String> environment() {
    return Map.of(
        "RABBITMQ_HOST",
        servers.brokerHost(),
        "RABBITMQ_PORT",
        Integer.toString(servers.brokerPort()),
        "RABBITMQ_USERNAME",
        servers.brokerUser(),
        "RABBITMQ_PASSWORD",
        servers.password(),
        "RABBITMQ_VIRTUAL_HOST",
        servers.brokerVirtualHost(),
        "ONCEFLOW_BROKER_DECLARE",
        "true");
  }

  @Override
  public Broker connect() {
    return RabbitBroker.connect(servers);
  }

  @Override
  public void stop() {
    servers.stopBroker();
  }

  @Override
  public void start() {
    servers.startBroker();
  }

  @Override
  public void end() {}
}
