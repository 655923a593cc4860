package io.onceflow.quarkus.deployment.devservices;

import io.quarkus.runtime.annotations.ConfigPhase;
import io.quarkus.runtime.annotations.ConfigRoot;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/**
 * The servers that an application gets in development and in tests, when it names none. Where a
 * Docker engine answers they are containers: PostgreSQL by Quarkus' own Dev Services ({@code
 * quarkus.datasource.devservices.…}), and RabbitMQ. Elsewhere they are an embedded PostgreSQL and
 * an embedded broker, in one process for all applications on the machine, if the application
 * depends on {@code onceflow-embedded-servers}.
 */
@ConfigRoot(phase = ConfigPhase.BUILD_TIME)
@ConfigMapping(prefix = "onceflow.devservices")
public interface OnceflowDevServicesConfig {

  /**
   * Whether servers are started. {@code quarkus.devservices.enabled=false} switches these off, too.
   */
  @WithDefault("true")
  boolean enabled();

  /** Whether to use containers where a Docker engine answers. */
  @WithDefault("true")
  boolean containers();

  /** The image of RabbitMQ. */
  @WithDefault("rabbitmq:4-management")
  String brokerImage();

  /**
   * Applications in development that name the same service share one container of RabbitMQ; each
   * application under test has its own. A container is found by its label {@code
   * onceflow-dev-service-rabbitmq}.
   */
  @WithDefault("onceflow")
  String serviceName();
}
