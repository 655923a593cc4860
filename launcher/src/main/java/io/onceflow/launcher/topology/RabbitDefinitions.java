package io.onceflow.launcher.topology;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;

/**
 * What RabbitMQ imports. Names and passwords that differ from one installation to another are
 * variables, which {@code deploy/rabbitmq/definitions.sh} fills in.
 */
public final class RabbitDefinitions {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String VHOST = "/";

  private final List<ServiceTopology> applications;
  private final List<String> exchanges;
  private final ObjectNode definitions = JSON.createObjectNode();

  private RabbitDefinitions(List<ServiceTopology> applications) {
    this.applications = applications;
    this.exchanges = RabbitRights.exchanges(applications);
  }

  /** All of them, as a file. */
  public static String render(List<ServiceTopology> applications) {
    RabbitDefinitions made = new RabbitDefinitions(applications);
    made.users();
    made.topology();
    made.policy();
    DefaultIndenter lines = new DefaultIndenter("  ", "\n");
    DefaultPrettyPrinter layout =
        new DefaultPrettyPrinter().withObjectIndenter(lines).withArrayIndenter(lines);
    try {
      return JSON.writer(layout).writeValueAsString(made.definitions) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private void users() {
    ArrayNode users = definitions.putArray("users");
    user(users, "${BROKER_ADMINISTRATOR}", "${BROKER_ADMINISTRATOR_PASSWORD}", "administrator");
    for (ServiceTopology each : applications) {
      user(users, each.application(), "${%s}".formatted(variable(each)), "");
    }
    definitions.putArray("vhosts").addObject().put("name", VHOST);
    ArrayNode permissions = definitions.putArray("permissions");
    permission(permissions, "${BROKER_ADMINISTRATOR}", ".*", ".*", ".*");
    for (ServiceTopology each : applications) {
      permission(
          permissions,
          each.application(),
          RabbitRights.NOTHING,
          RabbitRights.write(each),
          RabbitRights.read(each));
    }
    topicPermissions(definitions.putArray("topic_permissions"));
  }

  /** Of all exchanges: one that is not named would be free. */
  private void topicPermissions(ArrayNode permissions) {
    for (ServiceTopology each : applications) {
      for (String exchange : exchanges) {
        permissions
            .addObject()
            .put("user", each.application())
            .put("vhost", VHOST)
            .put("exchange", exchange)
            .put("write", RabbitRights.keys(each, exchange))
            .put("read", RabbitRights.NOTHING);
      }
    }
  }

  private static String variable(ServiceTopology application) {
    return application.application().toUpperCase(Locale.ROOT).replaceAll("[.-]", "_") + "_PASSWORD";
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
    ArrayNode declared = definitions.putArray("exchanges");
    for (String exchange : exchanges) {
      declared
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
    for (ServiceTopology each : applications) {
      for (ServiceTopology.Queue queue : each.queues()) {
        ObjectNode arguments = queue(queues, queue.name());
        RabbitQueues.arguments(queue).forEach(arguments::put);
        queue.routingKeys().stream()
            .flatMap(key -> RabbitRights.bindings(queue, key).stream())
            .forEach(key -> binding(bindings, queue.exchange(), queue.name(), key));
      }
      queue(queues, each.deadLetters()).put("x-queue-type", "quorum");
      each.queues()
          .forEach(
              queue ->
                  binding(bindings, RabbitRights.DEAD_LETTERS, each.deadLetters(), queue.name()));
    }
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
        .put("pattern", RabbitQueues.policyPattern(applications))
        .put("apply-to", "quorum_queues")
        .put("priority", 0)
        .set("definition", JSON.valueToTree(RabbitQueues.policy()));
  }
}
