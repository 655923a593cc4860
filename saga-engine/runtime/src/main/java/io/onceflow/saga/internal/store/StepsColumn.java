package io.onceflow.saga.internal.store;

import static io.onceflow.saga.Saga.StepStatus.AWAITING;
import static io.onceflow.saga.Saga.StepStatus.COMPENSATED;
import static io.onceflow.saga.Saga.StepStatus.COMPENSATING;
import static io.onceflow.saga.Saga.StepStatus.GIVEN_UP;
import static io.onceflow.saga.Saga.StepStatus.PENDING;
import static io.onceflow.saga.Saga.StepStatus.REFUSED;
import static io.onceflow.saga.Saga.StepStatus.SKIPPED;
import static io.onceflow.saga.Saga.StepStatus.SUCCEEDED;
import static io.onceflow.saga.Saga.StepStatus.WAITING;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.onceflow.saga.Saga.StepStatus;
import io.onceflow.saga.internal.engine.RequestState;
import io.onceflow.saga.internal.engine.StepState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The steps that a saga has reached, as the JSON of one column. What is null or zero is left out.
 * The names are a contract: another version of this code reads them.
 */
final class StepsColumn {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** A command is named as long as it may be resent. */
  private static final Set<StepStatus> RESENT =
      EnumSet.of(WAITING, AWAITING, COMPENSATING, COMPENSATED);

  private StepsColumn() {}

  static boolean isSentAgain(StepState step) {
    return RESENT.contains(step.status());
  }

  /**
   * What the column holds.
   *
   * @param sent what was last sent for each step, by the step's name, as far as it may have to be
   *     resent
   */
  record Steps(List<StepState> reached, Map<String, JournaledCommand> sent) {}

  /**
   * Writes the steps that were reached, or told of, in their order.
   *
   * @throws IllegalStateException if one is in a state that does not exist, before anything of its
   *     saga is written or sent
   */
  static String write(List<StepState> steps, Map<String, JournaledCommand> sent) {
    ArrayNode all = JSON.createArrayNode();
    steps.stream()
        .filter(StepsColumn::isKept)
        .forEach(step -> all.add(written(step, sent.get(step.name()))));
    return all.toString();
  }

  private static boolean isKept(StepState step) {
    return step.status() != PENDING || step.action().reply() != null;
  }

  private static ObjectNode written(StepState step, @Nullable JournaledCommand command) {
    if (!isPossible(step)) {
      throw new IllegalStateException(step + " is in a state that does not exist");
    }
    ObjectNode json = JSON.createObjectNode();
    json.put("name", step.name()).put("status", step.status().name());
    put(json, "expiresAt", step.expiresAt());
    put(json, "dueAt", step.dueAt());
    put(json, "askAt", step.askAt());
    if (step.outcome() != null) {
      json.put("outcome", step.outcome());
    }
    put(json, step.action());
    if (step.compensation().attempts() > 0) {
      put(json.putObject("compensation"), step.compensation());
    }
    if (command != null && isSentAgain(step)) {
      json.putObject("command")
          .put("name", command.name())
          .put("type", command.type())
          .put("routingKey", command.routingKey())
          .put("revision", command.revision());
    }
    return json;
  }

  private static void put(ObjectNode json, RequestState request) {
    json.put("attempts", request.attempts());
    if (request.repeats() > 0) {
      json.put("repeats", request.repeats());
    }
    put(json, "firstSentAt", request.firstSentAt());
    put(json, "sentAt", request.sentAt());
    put(json, "repliedAt", request.repliedAt());
    if (request.reply() != null) {
      json.put("reply", request.reply());
    }
    if (request.refusal() != null) {
      json.put("refusal", request.refusal());
    }
  }

  private static void put(ObjectNode json, String name, @Nullable Instant time) {
    if (time != null) {
      json.put(name, time.toString());
    }
  }

  /**
   * Reads the column.
   *
   * @throws IllegalStateException if it holds no such steps, or steps in a state that does not
   *     exist, such as one that waits for a reply and is answered
   */
  static Steps read(UUID saga, String column) {
    try {
      return read(saga, JSON.readTree(column));
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw new IllegalStateException("a saga's steps cannot be read: " + e.getMessage(), e);
    }
  }

  private static Steps read(UUID saga, JsonNode column) {
    if (!column.isArray()) {
      throw new IllegalArgumentException("it is not a list");
    }
    List<StepState> steps = new ArrayList<>();
    Map<String, JournaledCommand> sent = new HashMap<>();
    for (JsonNode json : column) {
      StepState step = step(json);
      steps.add(step);
      JsonNode command = json.get("command");
      if (command != null) {
        sent.put(step.name(), command(saga, command));
      }
    }
    return new Steps(steps, sent);
  }

  private static StepState step(JsonNode json) {
    StepState step =
        new StepState(
            text(json, "name"),
            StepStatus.valueOf(text(json, "status")),
            request(json),
            request(json.path("compensation")),
            time(json, "expiresAt"),
            time(json, "dueAt"),
            time(json, "askAt"),
            json.hasNonNull("outcome") ? text(json, "outcome") : null);
    if (!isPossible(step)) {
      throw new IllegalStateException(
          "the step %s is stored in a state that does not exist: %s".formatted(step.name(), json));
    }
    return step;
  }

  private static RequestState request(JsonNode json) {
    return new RequestState(
        json.path("attempts").asInt(0),
        json.path("repeats").asInt(0),
        time(json, "firstSentAt"),
        time(json, "sentAt"),
        time(json, "repliedAt"),
        json.hasNonNull("reply") ? text(json, "reply") : null,
        json.hasNonNull("refusal") ? text(json, "refusal") : null);
  }

  private static JournaledCommand command(UUID saga, JsonNode json) {
    return new JournaledCommand(
        saga,
        text(json, "name"),
        text(json, "type"),
        text(json, "routingKey"),
        json.required("revision").longValue(),
        null);
  }

  private static String text(JsonNode json, String name) {
    return json.required(name).textValue();
  }

  private static @Nullable Instant time(JsonNode json, String name) {
    JsonNode time = json.get(name);
    return time == null ? null : Instant.parse(time.textValue());
  }

  /** What a constraint of the database would ask of a step. */
  private static boolean isPossible(StepState step) {
    StepStatus status = step.status();
    if (status == PENDING || status == SKIPPED) {
      return step.attempts() == 0 && !step.isAwaited() && isKept(step);
    }
    RequestState compensation = step.compensation();
    boolean isAnswered = step.repliedAt() != null;
    boolean isWaiting = status == WAITING || status == AWAITING;
    boolean isUndone = status == COMPENSATING || status == COMPENSATED;
    return step.attempts() > 0
        && step.sentAt() != null
        && !(isAnswered && (isWaiting || status == GIVEN_UP))
        && (isAnswered || (status != SUCCEEDED && status != REFUSED))
        && isUndone == (compensation.sentAt() != null)
        && isUndone == (compensation.attempts() > 0)
        && (status == COMPENSATED) == (compensation.repliedAt() != null)
        && (step.askAt() == null || status == AWAITING)
        && step.isAwaited() == (isWaiting || status == COMPENSATING);
  }
}
