package io.onceflow.test.races;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.onceflow.participant.Answer.Rejection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A command to race with, and what it should come to.
 *
 * <pre>{@code
 * static final RacedCommand REFUND =
 *     command("RefundPayment", order -> "{\"orderId\": \"%s\"}".formatted(order))
 *         .does("REFUND").answers("PaymentRefunded");
 *
 * static final RacedCommand PROCESS =
 *     command("ProcessPayment", order -> …)
 *         .does("CHARGE").answers("PaymentProcessed").refuses("PaymentDeclined").undoneBy(REFUND);
 * }</pre>
 *
 * @param type the AMQP type
 * @param payload JSON for a subject, whose id it is given
 * @param effects kinds of ledger entries that it makes when it is carried out
 * @param answer type of the reply when it was carried out
 * @param refusals types of the replies when it was not carried out; empty for one that is never
 *     refused, such as a compensation
 * @param before commands to be carried out for the subject first
 * @param underItsKey whether those have the same root key
 * @param undo the compensation; null when it has none
 * @param event ends what its handler answered as pending, for a subject; null when it never does
 */
public record RacedCommand(
    String type,
    Function<UUID, String> payload,
    List<String> effects,
    String answer,
    Map<Rejection, String> refusals,
    List<RacedCommand> before,
    boolean underItsKey,
    @Nullable RacedCommand undo,
    @Nullable Consumer<UUID> event) {

  private static final ObjectMapper JSON = JsonMapper.builder().findAndAddModules().build();

  /** What the product answers for a handler that answers nothing. */
  private static final String DONE = "StepDone";

  private static final Map<Rejection, String> BY_THE_PRODUCT =
      Map.of(
          Rejection.CANCELLED, "StepCancelled",
          Rejection.EXPIRED, "StepExpired",
          Rejection.UNAVAILABLE, "StepUnavailable");

  /** Starts to describe a command by its record. */
  public static <C extends Record> RacedCommand command(Class<C> type, Function<UUID, C> payload) {
    return command(type.getSimpleName(), subject -> json(payload.apply(subject)));
  }

  /** Starts to describe a command by its AMQP type and its JSON. */
  public static RacedCommand command(String type, Function<UUID, String> payload) {
    return new RacedCommand(type, payload, List.of(), DONE, Map.of(), List.of(), true, null, null);
  }

  /** Makes these entries in the ledger. */
  public RacedCommand does(String... kinds) {
    return new RacedCommand(
        type, payload, List.of(kinds), answer, refusals, before, underItsKey, undo, event);
  }

  /** Is answered by a reply of this type when it was carried out; else by {@code StepDone}. */
  public RacedCommand answers(String reply) {
    return new RacedCommand(
        type, payload, effects, reply, refusals, before, underItsKey, undo, event);
  }

  /** Is answered by a reply of this type when it was cancelled, has expired or is in doubt. */
  public RacedCommand refuses(String reply) {
    Map<Rejection, String> all =
        Stream.of(Rejection.values()).collect(Collectors.toMap(why -> why, why -> reply));
    return new RacedCommand(type, payload, effects, answer, all, before, underItsKey, undo, event);
  }

  /**
   * Is answered by {@code StepCancelled}, {@code StepExpired} or {@code StepUnavailable} when it
   * was not carried out, since its participant has no replies of its own for that.
   */
  public RacedCommand mayBeRefused() {
    return new RacedCommand(
        type, payload, effects, answer, BY_THE_PRODUCT, before, underItsKey, undo, event);
  }

  /** Is undone by this compensation. */
  public RacedCommand undoneBy(RacedCommand compensation) {
    if (compensation.event != null) {
      throw new IllegalArgumentException(
          compensation + " is a compensation, which cannot wait: take pendingUntil away");
    }
    return new RacedCommand(
        type, payload, effects, answer, refusals, before, underItsKey, compensation, event);
  }

  /**
   * May be answered as pending: the saga lets the step wait. Then the event is told for the
   * subject, as often as the handler answers so, and the handler is asked again.
   *
   * @param event the external decision, such as a webhook that comes or a person who approves; it
   *     may come twice, and makes no entry in the ledger
   */
  public RacedCommand pendingUntil(Consumer<UUID> event) {
    return new RacedCommand(
        type, payload, effects, answer, refusals, before, underItsKey, undo, event);
  }

  /** Comes after these, of the same saga: as a compensation after its action. */
  public RacedCommand after(RacedCommand... first) {
    return new RacedCommand(
        type, payload, effects, answer, refusals, List.of(first), true, undo, event);
  }

  /** Comes after these, which belong to an earlier saga. */
  public RacedCommand afterEarlier(RacedCommand... first) {
    return new RacedCommand(
        type, payload, effects, answer, refusals, List.of(first), false, undo, event);
  }

  private static String json(Record payload) {
    try {
      return JSON.writeValueAsString(payload);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(payload + " cannot be written as JSON", e);
    }
  }

  boolean isRefusable() {
    return !refusals.isEmpty();
  }

  /** The type of the reply when it was not carried out. */
  String refusal(Rejection why) {
    return refusals.getOrDefault(why, "no reply");
  }

  /** The compensation of a command that has one. */
  RacedCommand compensation() {
    if (undo == null) {
      throw new IllegalStateException(type + " has no compensation");
    }
    return undo;
  }

  /** What the ledger says when all went well, in this order. */
  List<String> allEffects() {
    return Stream.concat(effectsBefore().stream(), effects.stream()).toList();
  }

  /** What the ledger says before it. */
  List<String> effectsBefore() {
    return before.stream().flatMap(it -> it.effects().stream()).toList();
  }

  /** For the names of tests. */
  @Override
  public String toString() {
    return type;
  }
}
