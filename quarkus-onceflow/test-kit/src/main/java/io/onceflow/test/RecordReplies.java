package io.onceflow.test;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.onceflow.message.Done;
import io.onceflow.message.Refused;
import io.onceflow.participant.Answer.ReplyOutcome;
import io.onceflow.saga.ItemSteps;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.internal.Reply;
import io.onceflow.saga.internal.messaging.RecordReply;
import io.onceflow.saga.internal.messaging.RefusalReason;

/**
 * Makes replies of records as the orchestrator does when it reads them from messages.
 *
 * @param definition of the saga that they answer
 */
record RecordReplies(SagaDefinition<?> definition) {

  private static final ObjectMapper JSON = JsonMapper.builder().findAndAddModules().build();

  /** The type of a reply that the product sends for a participant. */
  private static final String OWN = "StepAnswered";

  String stepAnsweredBy(Object reply) {
    return definition
        .stepAnsweredBy(reply.getClass())
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "%s answers no step of saga %s: its @Done or @Refused names no command of it"
                        .formatted(reply.getClass().getSimpleName(), definition)));
  }

  Reply of(String step, Object reply) {
    return of(
        step,
        reply,
        reply.getClass().isAnnotationPresent(Refused.class)
            ? ReplyOutcome.REFUSED
            : ReplyOutcome.DONE);
  }

  Reply of(String step, Object reply, ReplyOutcome outcome) {
    requireSent(step);
    requireAnswer(step, reply.getClass());
    requireTaken(step, reply.getClass());
    String type = reply.getClass().getSimpleName();
    return RecordReply.of(
        step, type, outcome, reply, () -> RefusalReason.of(type, JSON.valueToTree(reply)));
  }

  Reply of(String step, ReplyOutcome outcome) {
    requireSent(step);
    return RecordReply.of(step, OWN, outcome, null, outcome::name);
  }

  /** The orchestrator parks a reply to a step that the saga does not have. */
  private void requireSent(String name) {
    if (!definition.commandNames().contains(ItemSteps.stepOf(name))) {
      throw new IllegalArgumentException(
          "saga %s sends nothing under the name %s".formatted(definition, name));
    }
  }

  /** The orchestrator parks a reply to another command than the step's. */
  private void requireAnswer(String step, Class<?> reply) {
    definition
        .stepAnsweredBy(reply, step)
        .filter(answered -> !answered.equals(step))
        .ifPresent(
            other -> {
              throw new IllegalArgumentException(
                  "%s answers %s and not %s of saga %s: its @Done or @Refused names another command"
                      .formatted(reply.getSimpleName(), other, step, definition));
            });
  }

  /** The orchestrator leaves a success that it does not know to a newer replica, and parks it. */
  private void requireTaken(String step, Class<?> reply) {
    if (reply.isAnnotationPresent(Done.class)
        && !definition.replies().containsValue(reply)
        && !definition.takesAnySuccess(step)) {
      throw new IllegalArgumentException(
          "step %s of saga %s takes another success and not %s, which would be deferred, and parked in the end; map it by on(%s.class, ...)"
              .formatted(step, definition, reply.getSimpleName(), reply.getSimpleName()));
    }
  }
}
