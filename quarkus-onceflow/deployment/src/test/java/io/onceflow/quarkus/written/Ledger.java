package io.onceflow.quarkus.written;

import io.onceflow.message.Command;
import io.onceflow.participant.Answer;
import io.onceflow.participant.CallsOut;
import io.onceflow.participant.Handles;
import io.onceflow.sql.Sql;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import javax.sql.DataSource;

/** Handlers that are given no rows, and write in each way that there is. */
@ApplicationScoped
class Ledger {

  private final EntityManager entities;
  private final DataSource database;

  Ledger(EntityManager entities, DataSource database) {
    this.entities = entities;
    this.database = database;
  }

  @Command("ledger.save")
  record SaveEntry(UUID account, String text) {}

  @Command("ledger.call")
  record CallForEntry(UUID account, String text) {}

  @Command("ledger.persist")
  record PersistEntry(UUID account, String text) {}

  @Command("ledger.spoil")
  record SpoilEntry(UUID account, String text) {}

  @Handles
  Answer save(SaveEntry command) {
    return Answer.done().save(new LedgerEntry(command.text()));
  }

  @Handles
  @CallsOut
  Answer call(CallForEntry command) {
    return Answer.done().save(new LedgerEntry(command.text()));
  }

  @Handles
  void persist(PersistEntry command) {
    entities.persist(new LedgerEntry(command.text()));
  }

  @Handles
  void spoil(SpoilEntry command) throws SQLException {
    try (Connection connection = database.getConnection()) {
      Sql.update(connection, "INSERT INTO ledger_entry (text) VALUES (?)", command.text());
    }
    throw new IllegalStateException("a defect behind the write");
  }
}
