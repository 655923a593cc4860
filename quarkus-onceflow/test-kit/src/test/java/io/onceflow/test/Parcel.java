package io.onceflow.test;

import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.saga.SagaRepository;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** A subject of a saga that an application keeps on JDBC. */
record Parcel(UUID id, long weight, String status) {

  /** Keeps every law. */
  static class Table implements SagaRepository<Parcel> {

    static final String LOAD =
        """
        SELECT   id, weight, status
        FROM     parcel
        WHERE    id = ANY (?)
        ORDER BY id
        FOR UPDATE
        """;

    @Override
    public UUID id(Parcel subject) {
      return subject.id();
    }

    @Override
    public String type() {
      return "parcel";
    }

    @Override
    public Map<UUID, Parcel> load(Transaction tx, Set<UUID> ids) throws SQLException {
      return load(tx, ids, LOAD);
    }

    static Map<UUID, Parcel> load(Transaction tx, Set<UUID> ids, String query) throws SQLException {
      Map<UUID, Parcel> loaded = new HashMap<>();
      try (PreparedStatement select = tx.connection().prepareStatement(query)) {
        select.setArray(1, tx.connection().createArrayOf("uuid", ids.toArray()));
        try (ResultSet row = select.executeQuery()) {
          while (row.next()) {
            UUID id = row.getObject("id", UUID.class);
            loaded.put(id, new Parcel(id, row.getLong("weight"), row.getString("status")));
          }
        }
      }
      return loaded;
    }

    @Override
    public void insert(Transaction tx, Collection<Parcel> subjects) throws SQLException {
      String sql = "INSERT INTO parcel (weight, status, id) VALUES (?, ?, ?)";
      write(tx, sql, subjects);
    }

    @Override
    public void save(Transaction tx, Collection<Parcel> changed) throws SQLException {
      write(tx, "UPDATE parcel SET weight = ?, status = ? WHERE id = ?", changed);
    }

    static void write(Transaction tx, String sql, Collection<Parcel> parcels) throws SQLException {
      try (PreparedStatement write = tx.connection().prepareStatement(sql)) {
        for (Parcel parcel : parcels) {
          write.setLong(1, parcel.weight());
          write.setString(2, parcel.status());
          write.setObject(3, parcel.id());
          write.addBatch();
        }
        write.executeBatch();
      }
    }
  }
}
