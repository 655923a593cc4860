package io.onceflow.quarkus.deployment;

import io.quarkus.runtime.annotations.ConfigPhase;
import io.quarkus.runtime.annotations.ConfigRoot;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithParentName;

/** What carries messages. */
@ConfigRoot(phase = ConfigPhase.BUILD_TIME)
@ConfigMapping(prefix = "onceflow.transport")
public interface OnceflowTransportConfig {

  /**
   * {@code rabbitmq}, or {@code local} for an application whose participants and orchestrators are
   * all in it: messages stay within the application, and it needs no broker. {@code messaging} goes
   * to RabbitMQ by the channels of SmallRye Reactive Messaging, with {@code
   * io.onceflow:onceflow-messaging} and {@code io.quarkus:quarkus-messaging-rabbitmq} among the
   * dependencies. {@code kafka} is Apache Kafka by its native clients, with {@code
   * io.onceflow:onceflow-kafka}.
   */
  @WithParentName
  @WithDefault("rabbitmq")
  String name();
}
