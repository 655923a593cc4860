package io.onceflow.kafka.internal;

import io.onceflow.outbox.internal.transport.TransportRefusal;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.jspecify.annotations.Nullable;

/** Kafka is there and refuses the service: its credentials, its rights, a certificate. */
final class KafkaRefusal extends TransportRefusal {

  private static final long serialVersionUID = 1L;

  private final boolean isOfOneTopic;

  KafkaRefusal(Throwable failure) {
    super("Kafka refuses this service: " + oneLine(failure.getMessage()));
    this.isOfOneTopic = failure instanceof TopicAuthorizationException;
  }

  /** Whether all else may continue. */
  boolean isOfOneTopic() {
    return isOfOneTopic;
  }

  /** True for what does not pass by itself. */
  static boolean is(@Nullable Throwable failure) {
    return failure instanceof AuthenticationException || failure instanceof AuthorizationException;
  }

  private static String oneLine(@Nullable String text) {
    return String.valueOf(text).lines().findFirst().orElse("");
  }
}
