package io.onceflow.saga.internal.messaging;

import io.onceflow.inbox.internal.parking.ParkedMessage;
import io.onceflow.inbox.internal.parking.RedriveCheck;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.SagaView;
import io.onceflow.saga.internal.runtime.SagaRunners;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Objects to redriving replies to sagas that are not there, or that have ended and know the outcome
 * of all their steps. Any other saga is asked by delivering the reply to it: even one that is not
 * waited for may report an effect that has to be undone (rule 7).
 */
@ApplicationScoped
class EndedSagaCheck implements RedriveCheck {

  private final SagaRunners sagas;
  private final UnitOfWork unitOfWork;

  EndedSagaCheck(SagaRunners sagas, UnitOfWork unitOfWork) {
    this.sagas = sagas;
    this.unitOfWork = unitOfWork;
  }

  @Override
  public Optional<String> objection(ParkedMessage reply, Operator operator) throws SQLException {
    String id = String.valueOf(reply.correlationId());
    Optional<SagaView> saga = saga(id);
    if (saga.isEmpty()) {
      return Optional.of(
          "There is no saga %s; if it has ended, it was deleted after its retention."
              .formatted(id));
    }
    return saga.filter(it -> it.status().isEnd() && !mayStillSucceed(it))
        .map(EndedSagaCheck::hasEnded);
  }

  /** Of a step whose outcome it does not know: a success would have to be compensated (rule 7). */
  private static boolean mayStillSucceed(SagaView saga) {
    return saga.steps().stream().anyMatch(step -> step.attempts() > 0 && step.repliedAt() == null);
  }

  private static String hasEnded(SagaView saga) {
    @Nullable String reason = saga.reason();
    String status = saga.status().name();
    return "Its saga has ended: "
        + (reason == null ? status + "." : "%s, because of %s.".formatted(status, reason));
  }

  private Optional<SagaView> saga(String text) throws SQLException {
    try {
      UUID id = UUID.fromString(text);
      return unitOfWork.call(tx -> sagas.view(tx, id));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
