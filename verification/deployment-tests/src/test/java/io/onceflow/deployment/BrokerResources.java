package io.onceflow.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import io.onceflow.deployment.BrokerTopology.Service;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The resources of RabbitMQ's topology operator for the overlay {@code production}. Each says which
 * cluster and virtual host it belongs to.
 */
final class BrokerResources {

  private static final String HEAD =
      """
      # Generated from the services' code and settings; docs/operations/kubernetes.md, "Changing the broker's topology", says how.
      """;

  private BrokerResources() {}

  /** Exchanges, queues, bindings and the queues' policy. */
  static String topology() {
    List<String> documents = new ArrayList<>();
    for (String exchange : BrokerTopology.EXCHANGES) {
      documents.add(
          """
          apiVersion: rabbitmq.com/v1beta1
          kind: Exchange
          metadata:
            name: %s
          spec:
            rabbitmqClusterReference:
              name: rabbitmq
            vhost: /
            name: %s
            type: topic
            durable: true
          """
              .formatted(exchange.replace('.', '-'), exchange));
    }
    for (Service service : BrokerTopology.SERVICES) {
      documents.add(queue(service.queue(), BrokerDefinitions.arguments(service)));
      String name = objectName(service.queue());
      documents.add(binding(name, service.exchange(), service.queue(), service.bound()));
      documents.add(
          binding(name + "-packs", service.exchange(), service.queue(), service.boundForPacks()));
      documents.add(queue(service.deadLetters(), null));
      documents.add(
          binding(
              objectName(service.deadLetters()),
              BrokerTopology.DEAD_LETTERS,
              service.deadLetters(),
              service.queue()));
    }
    documents.add(policy());
    return HEAD + String.join("---\n", documents);
  }

  /** What each service's user may do, by names. */
  static String permissions() {
    List<String> documents = new ArrayList<>();
    for (Service service : BrokerTopology.SERVICES) {
      documents.add(
          """
          apiVersion: rabbitmq.com/v1beta1
          kind: Permission
          metadata:
            name: %1$s
          spec:
            rabbitmqClusterReference:
              name: rabbitmq
            vhost: /
            userReference:
              name: %1$s
            permissions:
              configure: '%2$s'
              write: '%3$s'
              read: '%4$s'
          """
              .formatted(service.name(), BrokerTopology.NOTHING, service.write(), service.read()));
      for (String exchange : BrokerTopology.EXCHANGES) {
        documents.add(topicPermission(service, exchange));
      }
    }
    return HEAD + String.join("---\n", documents);
  }

  private static String topicPermission(Service service, String exchange) {
    return """
    apiVersion: rabbitmq.com/v1beta1
    kind: TopicPermission
    metadata:
      name: %1$s-%2$s
    spec:
      rabbitmqClusterReference:
        name: rabbitmq
      vhost: /
      userReference:
        name: %1$s
      permissions:
        exchange: %3$s
        write: '%4$s'
        read: '%5$s'
    """
        .formatted(
            service.name(),
            exchange.substring("onceflow.".length()),
            exchange,
            service.keys(exchange),
            BrokerTopology.NOTHING);
  }

  private static String queue(String name, @Nullable JsonNode arguments) {
    StringBuilder queue =
        new StringBuilder(
            """
            apiVersion: rabbitmq.com/v1beta1
            kind: Queue
            metadata:
              name: %s
            spec:
              rabbitmqClusterReference:
                name: rabbitmq
              vhost: /
              name: %s
              type: quorum
              durable: true
              # With the resource gone its messages stay.
              deletionPolicy: retain
            """
                .formatted(objectName(name), name));
    if (arguments != null) {
      queue.append("  arguments:\n");
      arguments
          .properties()
          .forEach(
              argument ->
                  queue.append(
                      "    %s: %s\n".formatted(argument.getKey(), argument.getValue().asText())));
    }
    return queue.toString();
  }

  private static String objectName(String queue) {
    return queue.replace('.', '-');
  }

  private static String binding(String name, String exchange, String queue, String key) {
    return """
    apiVersion: rabbitmq.com/v1beta1
    kind: Binding
    metadata:
      name: %s
    spec:
      rabbitmqClusterReference:
        name: rabbitmq
      vhost: /
      source: %s
      destination: %s
      destinationType: queue
      routingKey: '%s'
    """
        .formatted(name, exchange, queue, key);
  }

  private static String policy() {
    StringBuilder policy =
        new StringBuilder(
            """
            apiVersion: rabbitmq.com/v1beta1
            kind: Policy
            metadata:
              name: onceflow
            spec:
              rabbitmqClusterReference:
                name: rabbitmq
              vhost: /
              name: onceflow
              pattern: '%s'
              applyTo: quorum_queues
              definition:
            """
                .formatted(BrokerDefinitions.policyPattern()));
    BrokerDefinitions.policyDefinition()
        .properties()
        .forEach(
            each ->
                policy.append("    %s: %s\n".formatted(each.getKey(), each.getValue().asText())));
    return policy.toString();
  }
}
