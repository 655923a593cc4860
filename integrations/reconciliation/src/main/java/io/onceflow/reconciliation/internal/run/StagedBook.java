package io.onceflow.reconciliation.internal.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.onceflow.reconciliation.BookEntry;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * One side's entries in transit into {@code reconciliation_entry}: by COPY, some thousands at a
 * time, each in a separate transaction. While entries are fetched no connection is held.
 */
final class StagedBook implements Consumer<BookEntry> {

  private static final int BATCH = 5_000;

  private static final String COPY =
      """
      COPY reconciliation_entry (token, ours, reference, state, amount, currency, at, changed_at)
      FROM STDIN
      """;

  private final DataSource database;
  private final LeasedRun run;
  private final boolean isOurs;
  private final StringBuilder batch = new StringBuilder();
  private int inBatch;
  private long staged;

  StagedBook(DataSource database, LeasedRun run, boolean isOurs) {
    this.database = database;
    this.run = run;
    this.isOurs = isOurs;
  }

  /** How many entries are staged. */
  long staged() {
    return staged;
  }

  /**
   * @throws UncheckedIOException where the entry cannot be staged, or the run is not held any more
   */
  @Override
  public void accept(BookEntry entry) {
    append(Long.toString(run.token()));
    append(isOurs ? "t" : "f");
    append(escaped(entry.reference()));
    append(entry.state());
    append(entry.amount() == null ? null : entry.amount().toString());
    append(entry.currency() == null ? null : escaped(entry.currency()));
    append(entry.at().toString());
    append(entry.changedAt().toString());
    batch.setCharAt(batch.length() - 1, '\n');
    inBatch++;
    if (inBatch == BATCH) {
      flush();
    }
  }

  private void append(@Nullable String field) {
    batch.append(field == null ? "\\N" : field).append('\t');
  }

  /** The other texts cannot hold what COPY would take for the end of a field or a line. */
  private static String escaped(String text) {
    return text.replace("\\", "\\\\")
        .replace("\t", "\\t")
        .replace("\n", "\\n")
        .replace("\r", "\\r");
  }

  /** Stages what is left. */
  void flush() {
    if (inBatch == 0) {
      return;
    }
    try (Connection connection = database.getConnection()) {
      if (!RunLease.holds(connection, run)) {
        throw new RunLost(run);
      }
      connection
          .unwrap(PGConnection.class)
          .getCopyAPI()
          .copyIn(COPY, new ByteArrayInputStream(batch.toString().getBytes(UTF_8)));
    } catch (SQLException e) {
      throw new UncheckedIOException(new IOException("entries cannot be staged: " + e, e));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    staged += inBatch;
    inBatch = 0;
    batch.setLength(0);
  }
}
