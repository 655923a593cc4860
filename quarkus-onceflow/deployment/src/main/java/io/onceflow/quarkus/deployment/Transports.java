package io.onceflow.quarkus.deployment;

import java.util.Optional;
import java.util.Set;
import org.jboss.jandex.DotName;
import org.jboss.jandex.IndexView;

/** What carries the messages; beans are left out by it, so it is fixed at build time. */
final class Transports {

  private static final String KEY = "onceflow.transport";
  private static final String MESSAGING = "messaging";
  private static final DotName MESSAGING_TRANSPORT =
      DotName.createSimple("io.onceflow.messaging.transport.internal.MessagingTransport");

  private static final Set<String> KNOWN = Set.of("rabbitmq", "local", MESSAGING);

  private Transports() {}

  /** A sentence where the setting is none of those that exist. */
  static Optional<String> unknown(OnceflowTransportConfig config) {
    return Optional.of(config.name())
        .filter(value -> !KNOWN.contains(value))
        .map(value -> "%s is '%s'; it is 'rabbitmq', 'local' or 'messaging'".formatted(KEY, value));
  }

  /** A sentence where the transport is in a library that the application lacks. */
  static Optional<String> missing(OnceflowTransportConfig config, IndexView index) {
    return Optional.of(config.name())
        .filter(MESSAGING::equals)
        .filter(value -> index.getClassByName(MESSAGING_TRANSPORT) == null)
        .map(
            value ->
                "%s is '%s', but the application does not depend on io.onceflow:onceflow-messaging"
                    .formatted(KEY, value));
  }
}
