package io.onceflow.order.saga;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** JSON Schemas of what is in a message: its payload, made of its record, and its headers. */
final class MessageSchemas {

  private static final Map<String, String> MEANINGS =
      Map.of(
          "amount", "In minor units of the currency.",
          "totalAmount", "In minor units of the currency.",
          "unitAmount", "Price of one, in minor units of the currency.",
          "currency", "ISO 4217.",
          "country", "ISO 3166-1 alpha-2.",
          "reason", "Why not. Treat a word that you do not know as a refusal without a reason.",
          "paymentMethod", "A token of the payment gateway: do not log it.",
          "trackingNumber", "What the carrier calls the booking.",
          "gatewayReference", "What the gateway calls the charge.");

  private MessageSchemas() {}

  /** Of a payload. All properties are required, others are allowed: readers ignore them. */
  static ObjectNode of(ObjectMapper json, Class<?> type) {
    ObjectNode schema = json.createObjectNode().put("type", "object");
    ObjectNode properties = json.createObjectNode();
    ArrayNode required = json.createArrayNode();
    for (RecordComponent component : type.getRecordComponents()) {
      ObjectNode property = ofValue(json, component.getGenericType());
      String meaning = MEANINGS.get(component.getName());
      if (meaning != null) {
        property.put("description", meaning);
      }
      properties.set(component.getName(), property);
      required.add(component.getName());
    }
    schema.set("required", required);
    schema.set("properties", properties);
    return schema;
  }

  private static ObjectNode ofValue(ObjectMapper json, Type type) {
    ObjectNode schema = json.createObjectNode();
    if (type instanceof ParameterizedType list && list.getRawType().equals(List.class)) {
      schema.put("type", "array").put("minItems", 1);
      return schema.set("items", ofValue(json, list.getActualTypeArguments()[0]));
    }
    if (type instanceof Class<?> record && record.isRecord()) {
      return of(json, record);
    }
    if (type.equals(UUID.class)) {
      return schema.put("type", "string").put("format", "uuid");
    }
    if (type.equals(String.class)) {
      return schema.put("type", "string").put("minLength", 1);
    }
    if (type.equals(long.class)) {
      return schema.put("type", "integer").put("format", "int64");
    }
    if (type.equals(int.class)) {
      return schema.put("type", "integer").put("format", "int32");
    }
    throw new IllegalArgumentException("No schema is known for " + type);
  }

  /** By the names {@code CommandHeaders}, {@code ReplyHeaders}, {@code EventHeaders}. */
  static ObjectNode ofHeaders(ObjectMapper json) {
    ObjectNode schemas = json.createObjectNode();
    ObjectNode command = identity(schemas.putObject("CommandHeaders"));
    header(command, "x-saga-undoes", "On compensations: the step that it undoes.");
    header(
            command,
            "x-expires-at",
            "On actions before the pivot: not wanted after it, and then answered as expired."
                + " ISO 8601, the same for every attempt.")
        .put("format", "date-time");
    header(
        command,
        "x-await-within",
        "On commands of steps that may be answered as pending: for how many seconds, a whole"
            + " number, the saga waits for the answer that follows.");
    header(
        command,
        "x-ends-with",
        "On commands that are sent until they are done: the values of x-outcome that end the step,"
            + " separated by commas. After any other outcome, carry out the command again when it"
            + " is repeated.");
    ObjectNode reply = identity(schemas.putObject("ReplyHeaders"));
    ArrayNode outcomes =
        header(
                reply,
                "x-outcome",
                "After pending, the reply that says what became of the step follows.")
            .putArray("enum");
    List.of("done", "refused", "cancelled", "expired", "unavailable", "pending")
        .forEach(outcomes::add);
    common(schemas.putObject("EventHeaders"), List.of("x-message-version"));
    return schemas;
  }

  private static ObjectNode identity(ObjectNode schema) {
    common(schema, List.of("x-idempotency-key", "x-idempotency-scope", "x-message-version"));
    header(schema, "x-idempotency-key", "The root key, the same in the whole saga.");
    header(schema, "x-idempotency-scope", "Whose key it is: the client's subject.");
    header(
        schema,
        "x-saga-origin",
        "Application and definition, as in order-service/place-order; part of the step key.");
    header(schema, "x-saga-step", "The step, or compensation; part of the step key.");
    return schema;
  }

  private static void common(ObjectNode schema, List<String> required) {
    schema.put("type", "object");
    ArrayNode names = schema.putArray("required");
    required.forEach(names::add);
    header(schema, "x-message-version", "Park any other.").put("const", "1");
    header(schema, "traceparent", "W3C trace context.");
  }

  private static ObjectNode header(ObjectNode schema, String name, String meaning) {
    ObjectNode header = schema.withObject("/properties").putObject(name);
    return header.put("type", "string").put("description", meaning);
  }

  /** Of a step that waits for the world: it has begun, and its reply follows. */
  static ObjectNode pending(ObjectMapper json) {
    ObjectNode message = json.createObjectNode();
    message.put("name", "StepPending").put("title", "StepPending");
    message.put(
        "description",
        "Answers a command with x-await-within, with the outcome pending: the step has started, and"
            + " the reply with its result follows. The payload is {}.");
    message.put("contentType", "application/json");
    message.putObject("correlationId").put("$ref", "#/components/correlationIds/saga");
    message.putObject("headers").put("$ref", "#/components/schemas/ReplyHeaders");
    message.putObject("payload").put("type", "object");
    message.putObject("bindings").putObject("amqp").put("messageType", "StepPending");
    message.putArray("examples").addObject().putObject("payload");
    return message;
  }

  /** Several messages as one. */
  static ObjectNode pack(ObjectMapper json) {
    ObjectNode message = json.createObjectNode();
    message.put("name", "Pack").put("title", "Several messages as one");
    message.put(
        "description",
        "Sent only to queues that are bound for bundles. Its body is described in"
            + " docs/messages/README.md.");
    message.put("contentType", "application/vnd.onceflow.pack");
    ObjectNode headers = message.putObject("headers").put("type", "object");
    header(headers, "x-pack-count", "How many messages are in it, for people.");
    message.putObject("payload").put("type", "string").put("format", "binary");
    message.putObject("bindings").putObject("amqp").put("messageType", "Pack");
    return message;
  }
}
