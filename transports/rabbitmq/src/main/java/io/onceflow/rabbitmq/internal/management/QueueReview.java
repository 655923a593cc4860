package io.onceflow.rabbitmq.internal.management;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Compares a queue, as the broker's management API describes it, with what its messages need: no
 * policy may drop them, and what the broker dead-letters has to reach the service. A policy of
 * another name takes the place of the one that was imported; an operator policy is added to it.
 */
final class QueueReview {

  private static final List<String> DROPS_OLDEST = List.of("max-length", "max-length-bytes");

  private final JsonNode queue;
  private final JsonNode policy;
  private final List<String> problems = new ArrayList<>();

  private QueueReview(JsonNode queue) {
    this.queue = queue;
    this.policy = queue.path("effective_policy_definition");
  }

  /**
   * What is wrong, a clause each.
   *
   * @param state {@code /api/queues/<virtual host>/<queue>}
   * @param needed bindings
   * @param found {@code …/bindings} of their queues, by their names; a missing node of a queue that
   *     is not there
   */
  static List<String> of(JsonNode state, List<QueueBinding> needed, Map<String, JsonNode> found) {
    QueueReview review = new QueueReview(state);
    review.limits();
    review.deliveries();
    needed.forEach(binding -> review.binding(binding, found.get(binding.queue())));
    return review.problems.stream().distinct().toList();
  }

  private void limits() {
    effective("message-ttl", "drops messages that wait for %s ms");
    effective("expires", "deletes the queue after %s ms without a consumer");
    boolean refuses = policy.path("overflow").asText().startsWith("reject-publish");
    if (!refuses) {
      DROPS_OLDEST.forEach(limit -> effective(limit, "drops the oldest messages beyond %s"));
    }
  }

  private void deliveries() {
    JsonNode limit = policy.path("delivery-limit");
    if (limit.asInt(0) != -1) {
      problems.add(
          "%s dead-letters messages after %s deliveries: delivery-limit is not -1"
              .formatted(name(), limit.isMissingNode() ? "20" : limit.asText()));
    }
    if (!policy.path("dead-letter-strategy").asText().equals("at-least-once")) {
      problems.add(
          "%s may lose dead letters: dead-letter-strategy is not at-least-once".formatted(name()));
    }
  }

  private void effective(String key, String does) {
    JsonNode value = policy.path(key);
    if (!value.isMissingNode()) {
      problems.add("%s %s (%s)".formatted(name(), does.formatted(value.asText()), key));
    }
  }

  private String name() {
    String own = queue.path("policy").asText("");
    String operators = queue.path("operator_policy").asText("");
    if (own.isEmpty() && operators.isEmpty()) {
      return "the queue without a policy";
    }
    return operators.isEmpty()
        ? "policy \"%s\"".formatted(own)
        : "policy \"%s\" with operator policy \"%s\"".formatted(own, operators);
  }

  private void binding(QueueBinding needed, JsonNode found) {
    if (found.isMissingNode()) {
      problems.add("queue %s is missing".formatted(needed.queue()));
    } else if (found
        .valueStream()
        .noneMatch(
            one ->
                one.path("source").asText().equals(needed.exchange())
                    && one.path("routing_key").asText().equals(needed.routingKey()))) {
      problems.add(
          "queue %s is not bound to %s by %s"
              .formatted(needed.queue(), needed.exchange(), needed.routingKey()));
    }
  }
}
