package io.onceflow.benchmarks.transports;

import io.onceflow.benchmarks.saga.report.Target;
import io.onceflow.launcher.stack.BrokerKind;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What carries the services' messages. */
enum Transport {
  RABBITMQ("native RabbitMQ", "quarkus-app", null),
  MESSAGING("channels on RabbitMQ", "quarkus-app-messaging", Target.atLeast(0.4)),
  KAFKA("Kafka", "quarkus-app-kafka", Target.atLeast(0.7));

  /** With which the others are compared. */
  static final Transport NATIVE = RABBITMQ;

  private static final String ALL = "all";

  private final String label;
  private final String packaged;
  private final @Nullable Target ofNative;

  Transport(String label, String packaged, @Nullable Target ofNative) {
    this.label = label;
    this.packaged = packaged;
    this.ofNative = ofNative;
  }

  /** For people. */
  String label() {
    return label;
  }

  /** On the command line and in JSON. */
  String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The folder below a service's {@code target} that has it built for this transport. */
  String packaged() {
    return packaged;
  }

  /** What its rate shall be of the native one's; null if nothing is said. */
  @Nullable Target ofNative() {
    return ofNative;
  }

  BrokerKind broker() {
    return this == KAFKA ? BrokerKind.kafka : BrokerKind.rabbitmq;
  }

  /**
   * Those with the given keys, in this order, each once.
   *
   * @param keys {@code all} stands for all of them
   * @throws IllegalArgumentException if one is unknown, with those that there are
   */
  static List<Transport> of(List<String> keys) {
    return keys.stream()
        .map(String::strip)
        .flatMap(key -> ALL.equals(key) ? Stream.of(values()) : Stream.of(of(key)))
        .distinct()
        .toList();
  }

  private static Transport of(String key) {
    for (Transport transport : values()) {
      if (transport.key().equals(key)) {
        return transport;
      }
    }
    String known = Arrays.stream(values()).map(Transport::key).collect(Collectors.joining(", "));
    throw new IllegalArgumentException("'%s' is none of %s, %s".formatted(key, known, ALL));
  }
}
