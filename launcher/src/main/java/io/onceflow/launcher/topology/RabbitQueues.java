package io.onceflow.launcher.topology;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Arguments of queues, which never change, and their policy, which may. */
final class RabbitQueues {

  private RabbitQueues() {}

  /** As {@code RabbitQueue} declares it in development. */
  static Map<String, String> arguments(ServiceTopology.Queue queue) {
    Map<String, String> arguments = new LinkedHashMap<>();
    arguments.put("x-queue-type", "quorum");
    arguments.put("x-dead-letter-exchange", RabbitRights.DEAD_LETTERS);
    arguments.put("x-dead-letter-routing-key", queue.name());
    return arguments;
  }

  /** Which queues the policy is for. */
  static String policyPattern(List<ServiceTopology> applications) {
    return RabbitRights.anyOf(
        applications.stream().flatMap(it -> it.queues().stream()).map(ServiceTopology.Queue::name));
  }

  /**
   * A queue that is full refuses what is published, which stays in its sender's outbox; a dead
   * letter leaves its queue only when the service's own queue has it. Deliveries are not limited:
   * each that a stop or a lost channel gives back would count, though its handling has never
   * started. Services count the attempts.
   */
  static Map<String, Object> policy() {
    Map<String, Object> policy = new LinkedHashMap<>();
    policy.put("delivery-limit", -1);
    policy.put("max-length-bytes", 512 * 1024 * 1024);
    policy.put("overflow", "reject-publish");
    policy.put("dead-letter-strategy", "at-least-once");
    return policy;
  }
}
