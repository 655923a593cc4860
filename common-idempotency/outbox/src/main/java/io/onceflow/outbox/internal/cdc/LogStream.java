package io.onceflow.outbox.internal.cdc;

import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.postgresql.PGConnection;
import org.postgresql.replication.LogSequenceNumber;
import org.postgresql.replication.PGReplicationStream;

/** An open slot. One thread reads; any thread may close, which ends a read that waits. */
final class LogStream implements AutoCloseable {

  private static final int TELL_EVERY_SECONDS = 1;

  private final Connection connection;
  private final PGReplicationStream stream;
  private volatile long heardAt = System.nanoTime();

  private LogStream(Connection connection, PGReplicationStream stream) {
    this.connection = connection;
    this.stream = stream;
  }

  /**
   * Opens the slot where it was left.
   *
   * @throws SQLException also when another reader has it
   */
  static LogStream open(ReplicationLogin login, ReplicationSlot slot) throws SQLException {
    Connection connection = login.connect();
    try {
      return new LogStream(
          connection,
          connection
              .unwrap(PGConnection.class)
              .getReplicationAPI()
              .replicationStream()
              .logical()
              .withSlotName(slot.name())
              .withSlotOption("proto_version", 1)
              .withSlotOption("publication_names", slot.publication())
              .withSlotOption("binary", true)
              .withSlotOption("messages", true)
              .withStatusInterval(TELL_EVERY_SECONDS, TimeUnit.SECONDS)
              .start());
    } catch (SQLException | RuntimeException | Error e) {
      connection.close();
      throw e;
    }
  }

  /** The next message; waits for it. */
  ByteBuffer read() throws SQLException {
    ByteBuffer message = stream.read();
    if (message == null) {
      throw new SQLException("PostgreSQL has ended the stream of its log");
    }
    heardAt = System.nanoTime();
    return message;
  }

  /** Up to this position PostgreSQL need not keep its log; it is told within a second. */
  void settled(long position) {
    LogSequenceNumber lsn = LogSequenceNumber.valueOf(position);
    stream.setFlushedLSN(lsn);
    stream.setAppliedLSN(lsn);
  }

  /** Tells it now: PostgreSQL ends a stream whose reader says nothing. */
  void tell() throws SQLException {
    stream.forceUpdateStatus();
  }

  /** For how long nothing has come. */
  Duration silence() {
    return Duration.ofNanos(System.nanoTime() - heardAt);
  }

  @Override
  public void close() throws SQLException {
    connection.abort(Runnable::run);
  }
}
