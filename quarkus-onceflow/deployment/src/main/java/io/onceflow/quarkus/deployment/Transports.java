package io.onceflow.quarkus.deployment;

import java.util.Map;
import java.util.Optional;
import org.jboss.jandex.DotName;
import org.jboss.jandex.IndexView;

/** What carries the messages; beans are left out by it, so it is fixed at build time. */
final class Transports {

  private static final String KEY = "onceflow.transport";

  private static final String LOCAL = "local";

  /** Those that leave the application, in {@code onceflow-} and their name, by a class of it. */
  private static final Map<String, DotName> OTHERS =
      Map.of(
          "rabbitmq",
          DotName.createSimple("io.onceflow.rabbitmq.internal.RabbitSource"),
          "messaging",
          DotName.createSimple("io.onceflow.messaging.transport.internal.MessagingTransport"),
          "kafka",
          DotName.createSimple("io.onceflow.kafka.internal.KafkaTransport"));

  private Transports() {}

  /** A sentence where the setting is none of those that exist. */
  static Optional<String> unknown(OnceflowTransportConfig config) {
    return Optional.of(config.name())
        .filter(value -> !LOCAL.equals(value) && !OTHERS.containsKey(value))
        .map(
            value ->
                "%s is '%s'; it is 'rabbitmq', 'local', 'messaging' or 'kafka'"
                    .formatted(KEY, value));
  }

  /** A sentence where the transport is in a library that the application lacks. */
  static Optional<String> missing(OnceflowTransportConfig config, IndexView index) {
    return Optional.ofNullable(OTHERS.get(config.name()))
        .filter(transport -> index.getClassByName(transport) == null)
        .map(
            transport ->
                "%s is '%s', but the application does not depend on io.onceflow:onceflow-%s"
                    .formatted(KEY, config.name(), config.name()));
  }
}
