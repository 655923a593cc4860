package io.onceflow.inbox.internal.participant;

import io.onceflow.inbox.internal.StepOutcome;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.OutboxMessage;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Answers decided in one transaction, gathered to be written together: business rows and replies.
 *
 * @param <S> the business row
 */
final class BatchWriter<S> {

  private final ParticipantRepository<S> rows;
  private final String participant;
  private final List<S> toSave = new ArrayList<>();
  private final List<OutboxMessage> replies = new ArrayList<>();

  BatchWriter(ParticipantRepository<S> rows, String participant) {
    this.rows = rows;
    this.participant = participant;
  }

  void add(ResolvedCommand<?, S> command, List<S> changed, StepOutcome outcome) {
    save(changed);
    reply(command, outcome);
  }

  void save(List<S> changed) {
    toSave.addAll(changed);
  }

  void reply(ResolvedCommand<?, S> command, StepOutcome outcome) {
    command.answer(outcome, participant).ifPresent(replies::add);
  }

  void write(Transaction tx) throws SQLException {
    if (!toSave.isEmpty()) {
      rows.save(tx.connection(), toSave);
    }
    tx.send(replies);
  }
}
