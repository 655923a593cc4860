package io.onceflow.quarkus.deployment;

import java.util.Optional;
import java.util.Set;

/** What carries the messages; beans are left out by it, so it is fixed at build time. */
final class Transports {

  private static final String KEY = "onceflow.transport";
  private static final Set<String> KNOWN = Set.of("rabbitmq", "local");

  private Transports() {}

  /** A sentence where the setting is none of those that exist. */
  static Optional<String> unknown(OnceflowTransportConfig config) {
    return Optional.of(config.name())
        .filter(value -> !KNOWN.contains(value))
        .map(value -> "%s is '%s'; it is 'rabbitmq' or 'local'".formatted(KEY, value));
  }
}
