package io.onceflow.order.saga;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.onceflow.message.Command;
import io.onceflow.message.Done;
import io.onceflow.message.Refused;
import io.onceflow.message.Undoes;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.Step;
import io.onceflow.saga.internal.RecordCommand;
import java.lang.reflect.AnnotatedElement;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The AsyncAPI document of {@code docs/messages}, as the order service sees it: it sends commands
 * and events, and receives replies. Made of the same records that the golden files are compared
 * with, and of their annotations.
 */
final class AsyncApi {

  private static final String COMMANDS = "onceflow.commands";
  private static final String REPLIES = "onceflow.replies";
  private static final String EVENTS = "onceflow.events";
  private static final String SERVICE = "order-service";
  private static final String REPLY_HEADERS = "ReplyHeaders";
  private static final String REPLY_QUEUE = SERVICE + ".replies";

  /** The product's own reply, which has no record: the step waits for the world. */
  private static final String PENDING = "StepPending";

  private final ObjectMapper json;
  private final Map<String, ? extends Record> messages;
  private final ObjectNode document;

  /**
   * @param messages one of each type, as the golden files show it, by type
   */
  private AsyncApi(ObjectMapper json, Map<String, ? extends Record> messages) {
    this.json = json;
    this.messages = messages;
    this.document = json.createObjectNode();
  }

  static ObjectNode of(ObjectMapper json, Map<String, ? extends Record> messages) {
    return new AsyncApi(json, messages).make();
  }

  private ObjectNode make() {
    document.put("asyncapi", "3.0.0");
    describe();
    document.putObject("channels");
    document.putObject("operations");
    ObjectNode components = document.putObject("components");
    components
        .putObject("correlationIds")
        .putObject("saga")
        .put("description", "The saga's id, in the property correlation-id.")
        .put("location", "$message.header#/correlation-id");
    components.putObject("messages");
    components.set("schemas", MessageSchemas.ofHeaders(json));
    messages.values().forEach(this::addMessage);
    components.withObject("/messages").set(PENDING, MessageSchemas.pending(json));
    components.withObject("/messages").set("Pack", MessageSchemas.pack(json));
    participants().forEach(this::addParticipant);
    commands().forEach(this::addCommand);
    events().forEach(this::addEvent);
    addReplies();
    return document;
  }

  private void describe() {
    ObjectNode info = document.putObject("info");
    info.put("title", "Onceflow: messages of the order, payment and shipping service");
    info.put("version", "1");
    info.put(
        "description",
        "Seen from the order service. Delivery is at least once: remember (x-idempotency-scope,"
            + " step key) in the transaction of what you do, and answer repeats with the first"
            + " reply. docs/reference/protocol.md has the rules.");
    info.putObject("license").put("name", "Apache-2.0");
    document.put("defaultContentType", "application/json");
    ObjectNode server = document.putObject("servers").putObject("broker");
    server.put("host", "localhost:5672").put("protocol", "amqp").put("protocolVersion", "0.9.1");
  }

  private void addMessage(Record example) {
    String type = example.getClass().getSimpleName();
    ObjectNode message = document.withObject("/components/messages/" + type);
    message.put("name", type);
    message.put("title", type);
    message.put("contentType", "application/json");
    if (!(example instanceof OrderEvent)) {
      message.set("correlationId", reference("#/components/correlationIds/saga"));
    }
    message.set("headers", reference("#/components/schemas/" + headersOf(example)));
    message.set("payload", MessageSchemas.of(json, example.getClass()));
    message.putObject("bindings").putObject("amqp").put("messageType", type);
    message.putArray("examples").addObject().set("payload", json.valueToTree(example));
  }

  private static String headersOf(Record message) {
    if (message.getClass().isAnnotationPresent(Command.class)) {
      return "CommandHeaders";
    }
    return message instanceof OrderEvent ? "EventHeaders" : REPLY_HEADERS;
  }

  /** The channel under which a participant answers, and the queue in which it is asked. */
  private void addParticipant(String participant) {
    List<Record> asked = commands().filter(it -> participantOf(it).equals(participant)).toList();
    ObjectNode answers =
        channel(participant, REPLIES, SERVICE + "." + participant, repliesTo(asked));
    if (asked.stream().anyMatch(AsyncApi::mayBePending)) {
      carry(answers, PENDING);
    }
    String binding = participant.replace("-service", ".#");
    queue(participant + ".commands", COMMANDS, binding, asked);
  }

  private void addCommand(Record command) {
    String type = command.getClass().getSimpleName();
    String key = command.getClass().getAnnotation(Command.class).value();
    channel(type, COMMANDS, key, List.of(command));
    ObjectNode operation = operation("send" + type, "send", type, List.of(command));
    Undoes undoes = command.getClass().getAnnotation(Undoes.class);
    operation.put(
        "summary",
        undoes == null
            ? "An action: it may expire, and is answered."
            : "A compensation of %s: it never expires, and is done even before its action."
                .formatted(undoes.value().getSimpleName()));
    String participant = participantOf(command);
    ObjectNode reply = operation.putObject("reply");
    reply.set("channel", reference("#/channels/" + participant));
    ArrayNode replies = reply.putArray("messages");
    references(replies, participant, repliesTo(List.of(command)));
    if (mayBePending(command)) {
      replies.add(reference("#/channels/%s/messages/%s".formatted(participant, PENDING)));
    }
  }

  /** Whether a saga waits where the step of this command is answered as pending. */
  private static boolean mayBePending(Record command) {
    return Stream.<SagaDefinition<?>>of(PlaceOrderSaga.DEFINITION, ReturnOrderSaga.DEFINITION)
        .<Step<?>>flatMap(definition -> definition.steps().stream())
        .anyMatch(
            step ->
                step instanceof Step.Send<?> send
                    && send.await().isPresent()
                    && send.command() instanceof RecordCommand<?, ?> sent
                    && sent.type() == command.getClass());
  }

  private void addEvent(OrderEvent event) {
    String type = event.getClass().getSimpleName();
    channel(type, EVENTS, event.routingKey(), List.of((Record) event));
    operation("send" + type, "send", type, List.of((Record) event))
        .put("summary", "An event, for any queue that is bound to it.");
  }

  private void addReplies() {
    List<Record> replies =
        messages.values().stream()
            .filter(it -> headersOf(it).equals(REPLY_HEADERS))
            .<Record>map(it -> it)
            .toList();
    carry(queue(REPLY_QUEUE, REPLIES, SERVICE + ".#", replies), PENDING);
    ObjectNode operation = operation("receiveReplies", "receive", REPLY_QUEUE, replies);
    operation.put("summary", "Replies of all participants, in one queue.");
    operation
        .withArray("messages")
        .add(reference("#/channels/%s/messages/%s".formatted(REPLY_QUEUE, PENDING)));
  }

  private ObjectNode operation(
      String name, String action, String channel, List<? extends Record> sent) {
    ObjectNode operation = document.withObject("/operations").putObject(name);
    operation.put("action", action);
    operation.set("channel", reference("#/channels/" + channel));
    references(operation.putArray("messages"), channel, sent);
    ObjectNode amqp = operation.putObject("bindings").putObject("amqp");
    if (action.equals("send")) {
      amqp.put("deliveryMode", 2).put("mandatory", true);
    } else {
      amqp.put("ack", true);
    }
    return operation;
  }

  private ObjectNode channel(
      String name, String exchange, String routingKey, List<? extends Record> carried) {
    ObjectNode channel = channel(name, routingKey, carried);
    channel.put(
        "description", "Routing key %s of the exchange %s.".formatted(routingKey, exchange));
    ObjectNode amqp = channel.putObject("bindings").putObject("amqp");
    amqp.put("is", "routingKey");
    ObjectNode exchanges = amqp.putObject("exchange");
    exchanges.put("name", exchange).put("type", "topic").put("durable", true);
    exchanges.put("autoDelete", false);
    return channel;
  }

  private ObjectNode queue(
      String name, String exchange, String binding, List<? extends Record> carried) {
    ObjectNode channel = channel(name, name, carried);
    channel.put(
        "description",
        "Quorum queue, bound to %s by %s, and by bundle.%s for bundles."
            .formatted(exchange, binding, binding));
    carry(channel, "Pack");
    ObjectNode amqp = channel.putObject("bindings").putObject("amqp");
    amqp.put("is", "queue");
    ObjectNode queue = amqp.putObject("queue");
    queue.put("name", name).put("durable", true).put("exclusive", false).put("autoDelete", false);
    return channel;
  }

  private void carry(ObjectNode channel, String type) {
    channel.withObject("/messages").set(type, reference("#/components/messages/" + type));
  }

  private ObjectNode channel(String name, String address, List<? extends Record> carried) {
    ObjectNode channel = ((ObjectNode) document.get("channels")).putObject(name);
    channel.put("address", address);
    ObjectNode types = channel.putObject("messages");
    for (Record message : carried) {
      String type = message.getClass().getSimpleName();
      types.set(type, reference("#/components/messages/" + type));
    }
    return channel;
  }

  private void references(ArrayNode array, String channel, List<? extends Record> carried) {
    for (Record message : carried) {
      String type = message.getClass().getSimpleName();
      array.add(reference("#/channels/%s/messages/%s".formatted(channel, type)));
    }
  }

  private ObjectNode reference(String to) {
    return json.createObjectNode().put("$ref", to);
  }

  private Stream<Record> commands() {
    return messages.values().stream()
        .filter(it -> it.getClass().isAnnotationPresent(Command.class))
        .map(it -> it);
  }

  private Stream<OrderEvent> events() {
    return messages.values().stream()
        .filter(OrderEvent.class::isInstance)
        .map(OrderEvent.class::cast);
  }

  private Stream<String> participants() {
    return commands().map(AsyncApi::participantOf).distinct();
  }

  /** As the saga knows it: the first word of the command's routing key. */
  private static String participantOf(Record command) {
    String key = command.getClass().getAnnotation(Command.class).value();
    return key.substring(0, key.indexOf('.')) + "-service";
  }

  private List<Record> repliesTo(List<Record> commands) {
    List<? extends Class<?>> types = commands.stream().map(Record::getClass).toList();
    return messages.values().stream()
        .filter(it -> answeredBy(it.getClass()).anyMatch(types::contains))
        .<Record>map(it -> it)
        .toList();
  }

  private static Stream<Class<? extends Record>> answeredBy(AnnotatedElement reply) {
    Done done = reply.getAnnotation(Done.class);
    Refused refused = reply.getAnnotation(Refused.class);
    return Stream.concat(
        done == null ? Stream.empty() : Arrays.stream(done.value()),
        refused == null ? Stream.empty() : Arrays.stream(refused.value()));
  }
}
