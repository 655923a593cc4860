package io.onceflow.outbox.internal.cdc;

import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * The place in PostgreSQL's log up to which the outbox has been dealt with, and the publication
 * that says of what the log is told. PostgreSQL keeps its log from there on, and lets one reader at
 * a time have it.
 *
 * @param name of the slot, in all of the server
 * @param publication its name, in this database
 */
record ReplicationSlot(String name, String publication) {

  private static final Logger LOG = Logger.getLogger(ReplicationSlot.class);

  private static final String NOT_PERMITTED = "42501";
  private static final String EXISTS_ALREADY = "42710";

  private static final String LOGIN =
      """
      SELECT current_setting('wal_level') AS wal_level,
             current_setting('synchronous_standby_names') <> ''
               AND coalesce(current_setting('synchronized_standby_slots', true), '') = ''
               AS is_ahead_of_standbys,
             current_user AS name,
             rolreplication OR rolsuper AS may_replicate
      FROM   pg_roles
      WHERE  rolname = current_user
      """;

  private static final String PUBLISHED =
      """
      SELECT true AS published
      FROM   pg_publication
      WHERE  pubname = ?
      """;

  private static final String STATE =
      """
      SELECT active,
             coalesce(wal_status, 'lost') = 'lost' AS lost,
             coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), confirmed_flush_lsn), 0)::bigint AS behind,
             coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn), 0)::bigint AS retained,
             coalesce(confirmed_flush_lsn - '0/0'::pg_lsn, 0)::bigint AS settled,
             (pg_current_wal_lsn() - '0/0'::pg_lsn)::bigint AS written,
             clock_timestamp() AS now
      FROM   pg_replication_slots
      WHERE  slot_name = ?
      """;

  private static final String CREATE =
      """
      SELECT pg_create_logical_replication_slot(?, 'pgoutput')
      """;

  private static final String DROP =
      """
      SELECT pg_drop_replication_slot(?)
      """;

  private static final String BEAT =
      """
      SELECT pg_logical_emit_message(false, 'onceflow.outbox', '')
      """;

  /**
   * What PostgreSQL says of the slot.
   *
   * @param active whether a reader has it
   * @param lost whether PostgreSQL has removed log that was still to be read
   * @param behind bytes of log that were written and not dealt with
   * @param retained bytes of log that PostgreSQL keeps for it, which may begin earlier
   * @param settled position up to which it has been dealt with
   * @param written position up to which the log is written
   * @param now by the clock of the database
   */
  record State(
      boolean active,
      boolean lost,
      long behind,
      long retained,
      long settled,
      long written,
      Instant now) {}

  /** The slot of a database by its name, where no other name is configured. */
  static ReplicationSlot of(Optional<String> name, String publication, Connection connection)
      throws SQLException {
    String usual = "onceflow_outbox_" + connection.getCatalog().toLowerCase(Locale.ROOT);
    return new ReplicationSlot(name.orElse(usual.replaceAll("[^a-z0-9_]", "_")), publication);
  }

  /**
   * Checks what a reader needs, and makes what is missing.
   *
   * @throws CdcRefused where an operator has to do something first
   */
  void require(Connection connection) throws SQLException {
    Login login = Sql.query(connection, LOGIN, Login::of).getFirst();
    if (!login.walLevel().equals("logical")) {
      throw new CdcRefused(
          "PostgreSQL runs with wal_level=" + login.walLevel(),
          "Set wal_level=logical in postgresql.conf and restart PostgreSQL");
    }
    if (!login.mayReplicate()) {
      throw new CdcRefused(
          "the user %s may not read the log".formatted(login.name()),
          "Run ALTER ROLE \"%s\" REPLICATION".formatted(login.name()));
    }
    if (login.isAheadOfStandbys()) {
      throw new CdcRefused(
          "PostgreSQL has synchronous_standby_names and no synchronized_standby_slots, so its log is"
              + " read before the standbys have confirmed a commit, and messages of transactions that"
              + " are lost at a failover would be sent",
          "Name the standbys' slots in synchronized_standby_slots (PostgreSQL 17)");
    }
    if (Sql.query(connection, PUBLISHED, row -> true, publication).isEmpty()) {
      publish(connection);
    }
    require(connection, state(connection));
  }

  private void require(Connection connection, Optional<State> state) throws SQLException {
    if (state.isPresent() && state.get().lost() && !state.get().active()) {
      LOG.warnf(
          "PostgreSQL has removed log that slot %s still had to read; it is made anew, and what"
              + " lies in the outbox is sent from the table",
          name);
      Sql.query(connection, DROP, row -> true, name);
    } else if (state.isPresent()) {
      return;
    }
    create(connection);
  }

  private record Login(
      String walLevel, boolean isAheadOfStandbys, String name, boolean mayReplicate) {

    static Login of(Sql.Row row) throws SQLException {
      return new Login(
          row.text("wal_level"),
          row.truth("is_ahead_of_standbys"),
          row.text("name"),
          row.truth("may_replicate"));
    }
  }

  private void publish(Connection connection) throws SQLException {
    String statement =
        "CREATE PUBLICATION %s FOR TABLE outbox_message WITH (publish = 'insert, delete')"
            .formatted(publication);
    try {
      Sql.update(connection, statement);
    } catch (SQLException e) {
      ifNotPermitted(e, "may not make the publication", statement);
    }
  }

  private void create(Connection connection) throws SQLException {
    try {
      Sql.query(connection, CREATE, row -> true, name);
      LOG.infof("made the replication slot %s", name);
    } catch (SQLException e) {
      ifNotPermitted(
          e,
          "may not make the replication slot",
          "SELECT pg_create_logical_replication_slot('%s', 'pgoutput')".formatted(name));
    }
  }

  /** Another replica may have made the same in the same moment. */
  private static void ifNotPermitted(SQLException e, String what, String statement)
      throws SQLException {
    if (NOT_PERMITTED.equals(e.getSQLState())) {
      throw new CdcRefused("the service's user " + what, "Run, as a user who may: " + statement);
    }
    if (!EXISTS_ALREADY.equals(e.getSQLState())) {
      throw e;
    }
  }

  /** Empty when there is no such slot. */
  Optional<State> state(Connection connection) throws SQLException {
    return Sql.find(
        connection,
        STATE,
        row ->
            new State(
                row.truth("active"),
                row.truth("lost"),
                row.bigint("behind"),
                row.bigint("retained"),
                row.bigint("settled"),
                row.bigint("written"),
                row.time("now")),
        name);
  }

  /** Writes to the log what the reader sees, so that it gets on where only others write. */
  static void beat(Connection connection) throws SQLException {
    Sql.query(connection, BEAT, row -> true);
  }
}
