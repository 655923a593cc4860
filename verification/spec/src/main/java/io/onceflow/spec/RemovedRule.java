package io.onceflow.spec;

import io.onceflow.spec.Specification.Size;
import java.util.Locale;
import java.util.Map;

/** A rule of the protocol, or a part of one, that a specification can do without. */
public enum RemovedRule {
  PARTICIPANT_ONE_TRANSACTION(
      1,
      Specification.PARTICIPANT,
      "the outcome of a step commits before its payment and its reply"),
  PARTICIPANT_ACK_AFTER_COMMIT(
      2, Specification.PARTICIPANT, "a command is acknowledged when it is delivered"),
  PARTICIPANT_FENCED_COMPLETION(
      4,
      Specification.PARTICIPANT,
      "a result is written without a check of the fencing token",
      Map.of("MaxCrashes", 0)),
  PARTICIPANT_SAME_STEP_SAME_KEY(
      5, Specification.PARTICIPANT, "each attempt calls the gateway under another key"),
  PARTICIPANT_TOMBSTONE(
      6, Specification.PARTICIPANT, "a compensation that finds no action leaves no tombstone"),
  PARTICIPANT_COMPENSATION_WAITS(
      6, Specification.PARTICIPANT, "a compensation does not wait for an action that is running"),
  PARTICIPANT_COMMANDS_EXPIRE(
      11, Specification.PARTICIPANT, "an action starts after its command has expired"),
  PARTICIPANT_COMPLETED_ANSWERS_AGAIN(
      12,
      Specification.PARTICIPANT,
      Size.LIVENESS,
      "a completed step does not answer a repeated command",
      Map.of()),
  PARTICIPANT_NOTHING_IS_DROPPED(
      13,
      Specification.PARTICIPANT,
      "a command whose handling fails is acknowledged and not parked",
      Map.of("MaxFaults", 1, "MaxCrashes", 0, "MaxHangs", 0)),
  PARTICIPANT_MEMORY_OUTLIVES_REPETITION(
      14, Specification.PARTICIPANT, "rows of the inbox are deleted while copies may still arrive"),
  SAGA_SAME_STEP_SAME_KEY(
      5, Specification.SAGA, "a command is resent under another key", Map.of("MaxAttempts", 1)),
  SAGA_ONLY_FORWARD(
      7, Specification.SAGA, "a success moves the saga forward whatever the state of its step"),
  SAGA_TIMEOUT_MEANS_UNKNOWN(
      8, Specification.SAGA, "a step that times out counts as not done, and is not compensated"),
  SAGA_RETRIED_UNTIL_DONE(
      9, Specification.SAGA, "a compensation that is refused is not sent again"),
  SAGA_REVERSE_ORDER(9, Specification.SAGA, "all compensations are sent at once"),
  SAGA_PAST_THE_PIVOT_ONLY_FORWARD(
      10, Specification.SAGA, "a saga past its pivot accepts a cancellation"),
  SAGA_COMPLETED_ANSWERS_AGAIN(
      12,
      Specification.SAGA,
      Size.LIVENESS,
      "a participant does not answer a repeated command",
      Map.of()),
  GUARD_SHARED_ONE_TRANSACTION(
      1, Specification.GUARD_SHARED, "the order commits without the stored response"),
  GUARD_SHARED_ANSWER_AFTER_COMMIT(
      2, Specification.GUARD_SHARED, "a request is answered before its commit"),
  GUARD_SHARED_CLAIM(5, Specification.GUARD_SHARED, "a request runs without a claim on its key"),
  GUARD_SHARED_FINGERPRINT(
      5, Specification.GUARD_SHARED, "a key is answered whatever the body of the request"),
  GUARD_LEASED_FENCED_COMPLETION(
      4, Specification.GUARD_LEASED, "a response is stored without a check of the fencing token"),
  GUARD_LEASED_SAME_CALL_SAME_KEY(
      5, Specification.GUARD_LEASED, "a handler that is retried calls out under another key"),
  OUTBOX_ONE_TRANSACTION(
      1, Specification.OUTBOX, "the business row commits before the row of the outbox"),
  OUTBOX_PUBLISH_AFTER_COMMIT(1, Specification.OUTBOX, "a message is published before the commit"),
  OUTBOX_ACK_AFTER_COMMIT(
      2, Specification.OUTBOX, "a consumer acknowledges a message when it is delivered"),
  OUTBOX_DELETE_AFTER_CONFIRM(
      3, Specification.OUTBOX, "a row is deleted when its message is published"),
  OUTBOX_A_RETURN_IS_NO_CONFIRM(
      3, Specification.OUTBOX, "a row is deleted although the broker returned its message"),
  OUTBOX_SAME_MESSAGE_SAME_ID(
      5, Specification.OUTBOX, "a message that is published again has another id");

  private final int number;
  private final Specification specification;
  private final Size size;
  private final String loss;
  private final Map<String, Integer> constants;

  RemovedRule(int number, Specification specification, String loss) {
    this(number, specification, loss, Map.of());
  }

  RemovedRule(
      int number, Specification specification, String loss, Map<String, Integer> constants) {
    this(number, specification, Size.SAFETY, loss, constants);
  }

  RemovedRule(
      int number,
      Specification specification,
      Size size,
      String loss,
      Map<String, Integer> constants) {
    this.number = number;
    this.specification = specification;
    this.size = size;
    this.loss = loss;
    this.constants = constants;
  }

  /** The number of the rule in {@code docs/reference/protocol.md}. */
  public int number() {
    return number;
  }

  /** The specification that can do without it. */
  public Specification specification() {
    return specification;
  }

  /** What is checked without it. */
  public Size size() {
    return size;
  }

  /** What happens without it, as a sentence. */
  public String loss() {
    return loss;
  }

  /** Constants that have another value than with all rules. */
  Map<String, Integer> constants() {
    return constants;
  }

  /** What the specification calls it. */
  public String id() {
    return name()
        .substring(specification.name().length() + 1)
        .toLowerCase(Locale.ROOT)
        .replace('_', '-');
  }
}
