package io.onceflow.inbox.internal;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.participant.Answer;
import io.onceflow.participant.Answer.ReplyOutcome;
import java.io.IOException;

/**
 * What a step came to, as it is stored and as it is answered.
 *
 * @param type the reply's AMQP type
 * @param payload the reply's JSON
 * @param result what the reply says of the step
 */
public record StepOutcome(String type, @JsonRawValue String payload, ReplyOutcome result) {

  /** Answered while the step waits for an external event; never stored. */
  public static final StepOutcome PENDING =
      new StepOutcome("StepPending", "{}", ReplyOutcome.PENDING);

  /** Of an action whose owner is gone and whose command cannot be read again. */
  public static final StepOutcome UNKNOWN =
      new StepOutcome("StepUnavailable", "{}", ReplyOutcome.UNAVAILABLE);

  public static StepOutcome of(Answer.Reply reply, ObjectMapper json) {
    Record body = reply.body();
    return body == null
        ? new StepOutcome(nameOf(reply.outcome()), "{}", reply.outcome())
        : new StepOutcome(body.getClass().getSimpleName(), write(json, body), reply.outcome());
  }

  /** The type of a reply without a body. */
  private static String nameOf(ReplyOutcome outcome) {
    String word = outcome.word();
    return "Step" + Character.toUpperCase(word.charAt(0)) + word.substring(1);
  }

  /** Whether a compensation may find something to undo. */
  public boolean mayHaveBeenDone() {
    return result == ReplyOutcome.DONE || result == ReplyOutcome.UNAVAILABLE;
  }

  /**
   * Reads back what {@link #toStore} wrote, the payload letter for letter: it is not re-written.
   */
  public static StepOutcome stored(String stored, ObjectMapper json) {
    try (JsonParser parser = json.createParser(stored)) {
      String type = null;
      String payload = null;
      ReplyOutcome result = null;
      parser.nextToken();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        parser.nextToken();
        if (name.equals("type")) {
          type = parser.getText();
        } else if (name.equals("payload")) {
          payload = textOfValue(parser, stored);
        } else if (name.equals("result")) {
          result = ReplyOutcome.of(parser.getText()).orElse(null);
        } else {
          parser.skipChildren();
        }
      }
      if (type == null || payload == null || result == null) {
        throw new IllegalStateException("inbox_message.outcome lacks type, payload or result");
      }
      return new StepOutcome(type, payload, result);
    } catch (IOException e) {
      // Not with its content or Jackson's message, which quotes it: logs are read by others.
      throw new IllegalStateException("inbox_message.outcome is not JSON");
    }
  }

  private static String textOfValue(JsonParser parser, String whole) throws IOException {
    int from = (int) parser.currentTokenLocation().getCharOffset();
    parser.skipChildren();
    parser.finishToken();
    return whole.substring(from, (int) parser.currentLocation().getCharOffset());
  }

  public String toStore(ObjectMapper json) {
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
