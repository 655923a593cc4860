package io.onceflow.inbox.internal.participant;

import io.onceflow.inbox.internal.StepOutcome;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.participant.internal.CompositeRepository;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Answers decided in one transaction, gathered to be written together: business rows and replies.
 */
final class BatchWriter {

  private final CompositeRepository rows;
  private final String participant;
  private final List<Object> toSave = new ArrayList<>();
  private final List<OutboxMessage> replies = new ArrayList<>();

  BatchWriter(CompositeRepository rows, String participant) {
    this.rows = rows;
    this.participant = participant;
  }

  void add(ResolvedCommand command, List<Object> changed, StepOutcome outcome) {
    save(changed);
    reply(command, outcome);
  }

  void save(List<Object> changed) {
    toSave.addAll(changed);
  }

  void reply(ResolvedCommand command, StepOutcome outcome) {
    command.answer(outcome, participant).ifPresent(replies::add);
  }

  void write(Transaction tx) throws SQLException {
    if (!toSave.isEmpty()) {
      rows.save(tx.connection(), toSave);
    }
    tx.send(replies);
  }
}
