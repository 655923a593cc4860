package io.onceflow.deployment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.onceflow.deployment.BrokerTopology.Service;
import java.util.List;
import java.util.Locale;

/**
 * {@code deploy/rabbitmq/definitions.json}: what RabbitMQ imports. Names and passwords that differ
 * from one installation to another are variables, which {@code definitions.sh} fills in.
 */
final class BrokerDefinitions {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String VHOST = "/";

  private final ObjectNode definitions = JSON.createObjectNode();

  private BrokerDefinitions() {}

  static String render() {
    BrokerDefinitions made = new BrokerDefinitions();
    made.users();
    made.topology();
    made.policy();
    try {
      DefaultPrettyPrinter layout =
          new DefaultPrettyPrinter()
              .withObjectIndenter(new DefaultIndenter("  ", "\n"))
              .withArrayIndenter(new DefaultIndenter("  ", "\n"));
      return JSON.writer(layout).writeValueAsString(made.definitions) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private void users() {
    ArrayNode users = definitions.putArray("users");
    user(users, "${BROKER_ADMINISTRATOR}", "${BROKER_ADMINISTRATOR_PASSWORD}", "administrator");
    for (Service service : BrokerTopology.SERVICES) {
      user(users, service.name(), "${%s}".formatted(variable(service)), "");
    }
    definitions.putArray("vhosts").addObject().put("name", VHOST);
    ArrayNode permissions = definitions.putArray("permissions");
    permission(permissions, "${BROKER_ADMINISTRATOR}", ".*", ".*", ".*");
    for (Service service : BrokerTopology.SERVICES) {
      permission(
          permissions, service.name(), BrokerTopology.NOTHING, service.write(), service.read());
    }
    topicPermissions(definitions.putArray("topic_permissions"));
  }

  /** Of all four exchanges: one that is not named would be free. */
  private static void topicPermissions(ArrayNode permissions) {
    for (Service service : BrokerTopology.SERVICES) {
      for (String exchange : BrokerTopology.EXCHANGES) {
        permissions
            .addObject()
            .put("user", service.name())
            .put("vhost", VHOST)
            .put("exchange", exchange)
            .put("write", service.keys(exchange))
            .put("read", BrokerTopology.NOTHING);
      }
    }
  }

  static String variable(Service service) {
    return service.name().toUpperCase(Locale.ROOT).replace('-', '_') + "_PASSWORD";
  }

  private static void user(ArrayNode users, String name, String password, String tag) {
    ObjectNode user = users.addObject().put("name", name).put("password", password);
    ArrayNode tags = user.putArray("tags");
    if (!tag.isEmpty()) {
      tags.add(tag);
    }
  }

  private static void permission(
      ArrayNode permissions, String user, String configure, String write, String read) {
    permissions
        .addObject()
        .put("user", user)
        .put("vhost", VHOST)
        .put("configure", configure)
        .put("write", write)
        .put("read", read);
  }

  private void topology() {
    ArrayNode exchanges = definitions.putArray("exchanges");
    for (String exchange : BrokerTopology.EXCHANGES) {
      exchanges
          .addObject()
          .put("name", exchange)
          .put("vhost", VHOST)
          .put("type", "topic")
          .put("durable", true)
          .put("auto_delete", false)
          .put("internal", false)
          .putObject("arguments");
    }
    ArrayNode queues = definitions.putArray("queues");
    ArrayNode bindings = definitions.putArray("bindings");
    for (Service service : BrokerTopology.SERVICES) {
      queue(queues, service.queue()).setAll(arguments(service));
      queue(queues, service.deadLetters()).put("x-queue-type", "quorum");
      binding(bindings, service.exchange(), service.queue(), service.bound());
      binding(bindings, service.exchange(), service.queue(), service.boundForPacks());
      binding(bindings, BrokerTopology.DEAD_LETTERS, service.deadLetters(), service.queue());
    }
  }

  /** As {@code RabbitQueue} declares it in development. */
  static ObjectNode arguments(Service service) {
    return JSON.createObjectNode()
        .put("x-queue-type", "quorum")
        .put("x-dead-letter-exchange", BrokerTopology.DEAD_LETTERS)
        .put("x-dead-letter-routing-key", service.queue());
  }

  private static ObjectNode queue(ArrayNode queues, String name) {
    return queues
        .addObject()
        .put("name", name)
        .put("vhost", VHOST)
        .put("durable", true)
        .put("auto_delete", false)
        .putObject("arguments");
  }

  private static void binding(ArrayNode bindings, String from, String queue, String key) {
    bindings
        .addObject()
        .put("source", from)
        .put("vhost", VHOST)
        .put("destination", queue)
        .put("destination_type", "queue")
        .put("routing_key", key)
        .putObject("arguments");
  }

  private void policy() {
    definitions
        .putArray("policies")
        .addObject()
        .put("vhost", VHOST)
        .put("name", "onceflow")
        .put("pattern", policyPattern())
        .put("apply-to", "quorum_queues")
        .put("priority", 0)
        .set("definition", policyDefinition());
  }

  static String policyPattern() {
    List<String> queues = BrokerTopology.SERVICES.stream().map(Service::queue).toList();
    return "^(" + String.join("|", queues).replace(".", "[.]") + ")$";
  }

  /**
   * A queue that is full refuses what is published, which stays in its sender's outbox; a dead
   * letter leaves its queue only when the service's own queue has it. Deliveries are not limited:
   * each that a stop or a lost channel gives back would count, though its handling has never begun.
   * Services count the attempts.
   */
  static ObjectNode policyDefinition() {
    return JSON.createObjectNode()
        .put("delivery-limit", -1)
        .put("max-length-bytes", 512 * 1024 * 1024)
        .put("overflow", "reject-publish")
        .put("dead-letter-strategy", "at-least-once");
  }
}
