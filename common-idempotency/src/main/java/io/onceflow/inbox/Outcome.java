package io.onceflow.inbox;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * What a step came to, as it is stored and as it is answered.
 *
 * @param type the reply's AMQP type
 * @param payload the reply's JSON
 */
record Outcome(String type, @JsonRawValue String payload) {

  static Outcome of(Object reply, ObjectMapper json) {
    return new Outcome(reply.getClass().getSimpleName(), write(json, reply));
  }

  static Outcome stored(String stored, ObjectMapper json) {
    try {
      JsonNode outcome = json.readTree(stored);
      return new Outcome(
          outcome.required("type").textValue(), outcome.required("payload").toString());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("inbox_message.outcome is not JSON: " + stored, e);
    }
  }

  String toStore(ObjectMapper json) {
    return write(json, this);
  }

  private static String write(ObjectMapper json, Object value) {
    try {
      return json.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(value.getClass() + " cannot be written as JSON", e);
    }
  }
}
