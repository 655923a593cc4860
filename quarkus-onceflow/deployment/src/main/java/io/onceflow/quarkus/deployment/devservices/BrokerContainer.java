package io.onceflow.quarkus.deployment.devservices;

import io.quarkus.deployment.builditem.Startable;
import io.quarkus.devservices.common.ConfigureUtil;
import io.quarkus.runtime.LaunchMode;
import java.util.Map;
import java.util.function.Function;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/** RabbitMQ in a container. */
final class BrokerContainer extends GenericContainer<BrokerContainer> implements Startable {

  static final int PORT = 5672;

  private static final String USER = "onceflow";
  private static final String PASSWORD = "onceflow";

  /** By which applications find each other's. */
  static final String LABEL = "onceflow-dev-service-rabbitmq";

  /** What an application is told of it. */
  static final Map<String, Function<BrokerContainer, String>> SETTINGS =
      Map.of(
          "rabbitmq-host", GenericContainer::getHost,
          "rabbitmq-port", container -> container.getMappedPort(PORT).toString(),
          "rabbitmq-username", container -> USER,
          "rabbitmq-password", container -> PASSWORD);

  BrokerContainer(OnceflowDevServicesConfig config, LaunchMode mode) {
    super(DockerImageName.parse(config.brokerImage()));
    withExposedPorts(PORT);
    withEnv("RABBITMQ_DEFAULT_USER", USER);
    withEnv("RABBITMQ_DEFAULT_PASS", PASSWORD);
    waitingFor(Wait.forLogMessage(".*Server startup complete.*", 1));
    ConfigureUtil.configureSharedServiceLabel(this, mode, LABEL, config.serviceName());
  }

  /** Of one that another application has started. */
  static Map<String, String> settings(String host, int port) {
    return Map.of(
        "rabbitmq-host",
        host,
        "rabbitmq-port",
        Integer.toString(port),
        "rabbitmq-username",
        USER,
        "rabbitmq-password",
        PASSWORD);
  }

  @Override
  public String getConnectionInfo() {
    return getHost() + ":" + getMappedPort(PORT);
  }

  @Override
  public void close() {
    super.close();
  }
}
