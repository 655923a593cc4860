package io.onceflow.launcher.topology;

import java.util.List;
import java.util.Map;

/**
 * The resources of RabbitMQ's topology operator. Each says which cluster and virtual host it
 * belongs to.
 */
public final class RabbitResources {

  private final List<ServiceTopology> applications;
  private final List<String> exchanges;
  private final String cluster;

  /**
   * @param cluster the name of the RabbitmqCluster
   */
  public RabbitResources(List<ServiceTopology> applications, String cluster) {
    this.applications = applications;
    this.exchanges = RabbitRights.exchanges(applications);
    this.cluster = cluster;
  }

  /** Exchanges, queues, bindings and the queues' policy. */
  public String topology() {
    Documents documents = new Documents();
    addTopology(documents);
    return documents.file("");
  }

  /** What each application's user may do, by names. */
  public String permissions() {
    Documents documents = new Documents();
    addPermissions(documents);
    return documents.file("");
  }

  /** Users, whose passwords are in secrets. */
  public String users() {
    Documents documents = new Documents();
    addUsers(documents);
    return documents.text();
  }

  /** All of them. */
  String all() {
    Documents documents = new Documents();
    addTopology(documents);
    addUsers(documents);
    addPermissions(documents);
    return documents.file("");
  }

  private void addTopology(Documents documents) {
    for (String exchange : exchanges) {
      add(
          documents,
          "Exchange",
          Documents.name(exchange),
          """
            vhost: /
            name: %s
            type: topic
            durable: true
          """
              .formatted(exchange));
    }
    for (ServiceTopology application : applications) {
      for (ServiceTopology.Queue queue : application.queues()) {
        addQueue(documents, queue.name(), RabbitQueues.arguments(queue));
        for (String key : queue.routingKeys()) {
          addBindings(documents, application, queue, key);
        }
      }
      addDeadLetters(documents, application);
    }
    addPolicy(documents);
  }

  private void addQueue(Documents documents, String name, Map<String, String> arguments) {
    StringBuilder spec =
        new StringBuilder(
            """
              vhost: /
              name: %s
              type: quorum
              durable: true
              # With the resource gone its messages stay.
              deletionPolicy: retain
            """
                .formatted(name));
    if (!arguments.isEmpty()) {
      spec.append("  arguments:\n");
      arguments.forEach((key, value) -> spec.append("    %s: %s\n".formatted(key, value)));
    }
    add(documents, "Queue", Documents.name(name), spec.toString());
  }

  /**
   * A binding's resource cannot be changed, so that its name may not depend on what else there is:
   * the queue's, with the key's first word unless that is the application's own.
   */
  private void addBindings(
      Documents documents, ServiceTopology application, ServiceTopology.Queue queue, String key) {
    String word = ServiceTopology.firstWord(key);
    boolean isOwn =
        application.application().equals(word)
            || application.application().equals(word + "-service");
    String name = queue.name() + (isOwn ? "" : "-" + word);
    List<String> keys = RabbitRights.bindings(queue, key);
    addBinding(documents, name, queue.exchange(), queue.name(), keys.getFirst());
    if (keys.size() > 1) {
      addBinding(documents, name + "-packs", queue.exchange(), queue.name(), keys.getLast());
    }
  }

  /**
   * One queue for all that the broker takes out of the application's; the first's binding is named
   * after it.
   */
  private void addDeadLetters(Documents documents, ServiceTopology application) {
    addQueue(documents, application.deadLetters(), Map.of());
    for (ServiceTopology.Queue queue : application.queues()) {
      boolean isFirst = queue.equals(application.queues().getFirst());
      addBinding(
          documents,
          application.deadLetters() + (isFirst ? "" : "-" + queue.name()),
          RabbitRights.DEAD_LETTERS,
          application.deadLetters(),
          queue.name());
    }
  }

  private void addBinding(
      Documents documents, String name, String exchange, String queue, String key) {
    add(
        documents,
        "Binding",
        Documents.name(name),
        """
          vhost: /
          source: %s
          destination: %s
          destinationType: queue
          routingKey: '%s'
        """
            .formatted(exchange, queue, key));
  }

  private void addPolicy(Documents documents) {
    StringBuilder spec =
        new StringBuilder(
            """
              vhost: /
              name: onceflow
              pattern: '%s'
              applyTo: quorum_queues
              definition:
            """
                .formatted(RabbitQueues.policyPattern(applications)));
    RabbitQueues.policy()
        .forEach((key, value) -> spec.append("    %s: %s\n".formatted(key, value)));
    add(documents, "Policy", "onceflow", spec.toString());
  }

  private void addUsers(Documents documents) {
    for (ServiceTopology application : applications) {
      String name = Documents.name(application.application());
      add(
          documents,
          "User",
          name,
          """
            importCredentialsSecret:
              name: %s-broker
          """
              .formatted(name));
    }
  }

  private void addPermissions(Documents documents) {
    for (ServiceTopology application : applications) {
      String name = Documents.name(application.application());
      add(
          documents,
          "Permission",
          name,
          """
            vhost: /
            userReference:
              name: %s
            permissions:
              configure: '%s'
              write: '%s'
              read: '%s'
          """
              .formatted(
                  name,
                  RabbitRights.NOTHING,
                  RabbitRights.write(application),
                  RabbitRights.read(application)));
      exchanges.forEach(exchange -> addTopicPermission(documents, name, application, exchange));
    }
  }

  private void addTopicPermission(
      Documents documents, String user, ServiceTopology application, String exchange) {
    add(
        documents,
        "TopicPermission",
        Documents.name(user + "-" + exchange.replaceFirst("^onceflow[.]", "")),
        """
          vhost: /
          userReference:
            name: %s
          permissions:
            exchange: %s
            write: '%s'
            read: '%s'
        """
            .formatted(
                user, exchange, RabbitRights.keys(application, exchange), RabbitRights.NOTHING));
  }

  /**
   * Adds a resource.
   *
   * @param spec its lines after that of the cluster
   */
  private void add(Documents documents, String kind, String name, String spec) {
    documents.add(
        kind,
        name,
        """
        apiVersion: rabbitmq.com/v1beta1
        kind: %s
        metadata:
          name: %s
        spec:
          rabbitmqClusterReference:
            name: %s
        %s"""
            .formatted(kind, name, cluster, spec));
  }
}
