package io.onceflow.benchmarks.timeline;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Reads the stages of sagas from the rows that they leave in three databases. Nothing is written
 * for this: rows have their times, and {@code track_commit_timestamp} dates the commit of each.
 */
final class StageTimes {

  private static final String KEYS =
      """
      SELECT subject_id::text, root_key
      FROM   saga_instance
      WHERE  definition = 'place-order' AND subject_id >= ?
      """;

  private static final String STARTED =
      """
      SELECT s.root_key, %s, %s
      FROM   saga_instance s
      JOIN   orders o ON o.id = s.subject_id
      JOIN   saga_journal h ON h.saga_id = s.id AND h.revision = 1
      WHERE  s.subject_id >= ?
      """
          .formatted(micros("o.created_at"), committed("h"));

  /** The step's name is put in. */
  private static final String REPLIED =
      """
      SELECT s.root_key, %s, %s
      FROM   saga_instance s
      JOIN   saga_journal h ON h.saga_id = s.id
                            AND h.entries::jsonb @> '[{"event": "succeeded", "step": "{step}"}]'
      WHERE  s.subject_id >= ?
      """
          .formatted(micros("h.at"), committed("h"));

  /** The schema of the simulated system is put in. */
  private static final String CALLED =
      """
      SELECT l.order_id::text, %s, %s
      FROM   {schema}.ledger l
      WHERE  l.order_id >= ?
      """
          .formatted(micros("l.at"), committed("l"));

  /**
   * The step's name is put in. Keys are {@code <root key>:<step>@<origin>}; those of other runs are
   * left out by their root keys.
   */
  private static final String HANDLED =
      """
      SELECT regexp_replace(i.step_key, ':[^:]*$', ''), %s, %s, %s
      FROM   inbox_message i
      WHERE  i.status = 'COMPLETED' AND i.step_key ~ ':{step}(@[^:]*)?$' AND ?::uuid IS NOT NULL
      """
          .formatted(micros("i.received_at"), micros("i.completed_at"), committed("i"));

  private final Connection orders;
  private final Connection payments;
  private final Connection shipping;
  private final UUID since;
  private final Map<String, UUID> orderOf = new HashMap<>();
  private final Map<UUID, Map<Stage, Long>> sagas = new HashMap<>();

  /**
   * Over connections of the superuser, which stay open.
   *
   * @param since below every order's id of the run
   */
  StageTimes(Connection orders, Connection payments, Connection shipping, UUID since) {
    this.orders = orders;
    this.payments = payments;
    this.shipping = shipping;
    this.since = since;
  }

  private static String micros(String time) {
    return "(extract(epoch FROM %s) * 1000000)::bigint".formatted(time);
  }

  private static String committed(String row) {
    return micros("pg_xact_commit_timestamp(%s.xmin)".formatted(row));
  }

  /**
   * The timeline of the orders.
   *
   * @param startedMicros when each order's request was sent or due
   */
  StageTimeline read(Map<UUID, Long> startedMicros) throws SQLException {
    startedMicros.forEach((order, micros) -> at(order).put(Stage.POST, micros));
    readKeys();
    read(orders, STARTED, Stage.CREATED, Stage.STARTED);
    handled(
        payments,
        "process-payment",
        Stage.PAYMENT_TAKEN,
        Stage.PAYMENT_DECIDED,
        Stage.PAYMENT_COMMITTED);
    called(payments, "simulated_gateway", Stage.CHARGE_WRITTEN, Stage.CHARGE_COMMITTED);
    replied("process-payment", Stage.PAID, Stage.PAID_COMMITTED);
    handled(
        shipping,
        "arrange-shipment",
        Stage.SHIPMENT_TAKEN,
        Stage.SHIPMENT_DECIDED,
        Stage.SHIPMENT_COMMITTED);
    called(shipping, "simulated_carrier", Stage.BOOKING_WRITTEN, Stage.BOOKING_COMMITTED);
    replied("arrange-shipment", Stage.SHIPPED, Stage.CONFIRMED);
    return StageTimeline.of(sagas.values());
  }

  private void handled(Connection participant, String step, Stage... stages) throws SQLException {
    read(participant, HANDLED.replace("{step}", step), stages);
  }

  private void called(Connection participant, String schema, Stage... stages) throws SQLException {
    read(participant, CALLED.replace("{schema}", schema), stages);
  }

  private void replied(String step, Stage... stages) throws SQLException {
    read(orders, REPLIED.replace("{step}", step), stages);
  }

  private Map<Stage, Long> at(UUID order) {
    return sagas.computeIfAbsent(order, ignored -> new EnumMap<>(Stage.class));
  }

  private void readKeys() throws SQLException {
    try (PreparedStatement look = orders.prepareStatement(KEYS)) {
      look.setObject(1, since);
      try (ResultSet row = look.executeQuery()) {
        while (row.next()) {
          UUID order = UUID.fromString(row.getString(1));
          orderOf.put(row.getString(1), order);
          orderOf.put(row.getString(2), order);
        }
      }
    }
  }

  private void read(Connection database, String query, Stage... stages) throws SQLException {
    try (PreparedStatement look = database.prepareStatement(query)) {
      look.setObject(1, since);
      try (ResultSet row = look.executeQuery()) {
        while (row.next()) {
          UUID order = orderOf.get(row.getString(1));
          for (int i = 0; order != null && i < stages.length; i++) {
            at(order).put(stages[i], row.getLong(i + 2));
          }
        }
      }
    }
  }
}
