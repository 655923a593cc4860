package io.onceflow.quarkus.deployment;

import io.onceflow.idempotency.Idempotent;
import io.onceflow.inbox.internal.StepOutcome;
import io.onceflow.inbox.internal.consumer.InboundMessage;
import io.onceflow.inbox.internal.participant.ParticipantRepository;
import io.onceflow.message.Command;
import io.onceflow.message.Done;
import io.onceflow.message.Refused;
import io.onceflow.message.Undoes;
import io.onceflow.participant.CallsOut;
import io.onceflow.participant.Handles;
import io.onceflow.participant.Handles.FallbackReply;
import io.onceflow.participant.RecordTable;
import io.quarkus.runtime.annotations.QuarkusMain;
import org.jboss.jandex.DotName;

/** Names that the index is searched for. */
final class Names {

  static final DotName COMMAND = DotName.createSimple(Command.class);
  static final DotName DONE = DotName.createSimple(Done.class);
  static final DotName REFUSED = DotName.createSimple(Refused.class);
  static final DotName UNDOES = DotName.createSimple(Undoes.class);
  static final DotName HANDLES = DotName.createSimple(Handles.class);
  static final DotName ANSWERS_UNHANDLED = DotName.createSimple(FallbackReply.class);
  static final DotName CALLS_OUT = DotName.createSimple(CallsOut.class);
  static final DotName IDEMPOTENT = DotName.createSimple(Idempotent.class);
  static final DotName INBOUND_MESSAGE = DotName.createSimple(InboundMessage.class);
  static final DotName STEP_OUTCOME = DotName.createSimple(StepOutcome.class);
  static final DotName ROWS = DotName.createSimple(ParticipantRepository.class);
  static final DotName RECORD_TABLE = DotName.createSimple(RecordTable.class);
  static final DotName QUARKUS_MAIN = DotName.createSimple(QuarkusMain.class);
  static final DotName ENTITY_MANAGER = DotName.createSimple("jakarta.persistence.EntityManager");

  private Names() {}
}
