package io.onceflow.test;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.onceflow.participant.Answer.ReplyOutcome;
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
    String type = reply.getClass().getSimpleName();
    return RecordReply.of(
        step, type, null, reply, () -> RefusalReason.of(type, JSON.valueToTree(reply)));
  }

  Reply of(String step, ReplyOutcome outcome) {
    return RecordReply.of(step, OWN, outcome, null, outcome::name);
  }
}
