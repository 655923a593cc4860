package io.onceflow.test.races;

import io.onceflow.outbox.internal.MessageHeaders;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message in transit to a consumer, as often as it is sent.
 *
 * @param id AMQP message-id
 * @param step the consumer's step for it, which its inbox row is for; null for a reply to a saga,
 *     which remembers it itself
 * @param payload JSON
 * @param root the root key
 * @param scope whose key it is
 * @param correlationId the saga's id
 * @param routingKey under which the broker accepted it, which says who sent a reply; null where
 *     that does not matter
 * @param headers beyond those of every message
 */
public record RacedMessage(
    String id,
    String type,
    @Nullable String step,
    String payload,
    String root,
    String scope,
    String correlationId,
    @Nullable String routingKey,
    Map<String, String> headers) {

  /** A message that has not been sent before. */
  public RacedMessage(
      String type, String step, String payload, String root, String scope, String correlationId) {
    this(
        UUID.randomUUID().toString(),
        type,
        step,
        payload,
        root,
        scope,
        correlationId,
        null,
        Map.of());
  }

  /** The same under another id: resent, not redelivered. */
  RacedMessage again() {
    return withPayload(payload);
  }

  /** With another payload, under the same key. */
  RacedMessage withPayload(String other) {
    return new RacedMessage(
        UUID.randomUUID().toString(),
        type,
        step,
        other,
        root,
        scope,
        correlationId,
        routingKey,
        headers);
  }

  /** With another header. */
  RacedMessage with(String header, String value) {
    Map<String, String> all = new HashMap<>(headers);
    all.put(header, value);
    return new RacedMessage(
        id, type, step, payload, root, scope, correlationId, routingKey, Map.copyOf(all));
  }

  /** The same step and payload, under whatever message-id. */
  boolean isRepeatedBy(RacedMessage other) {
    return stepKey().equals(other.stepKey()) && payload.equals(other.payload());
  }

  String stepKey() {
    return root + ":" + (step == null ? headers.get(MessageHeaders.SAGA_STEP) : step);
  }
}
