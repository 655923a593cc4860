package io.onceflow.inbox.internal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.core.internal.Fingerprint;
import io.onceflow.core.internal.StepKey;
import io.onceflow.inbox.internal.consumer.UnprocessableMessage;
import io.onceflow.inbox.internal.parking.ParkingReason;
import io.onceflow.inbox.internal.participant.Participant;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Status;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * The inbox for consumers of any transport that handle one message in one transaction:
 *
 * <pre>{@code
 * @Transactional
 * void on(Invoice invoice, String scope, StepKey key, Fingerprint fingerprint) {
 *   Receipt receipt = inbox.once(scope, key, fingerprint, Receipt.class, () -> book(invoice));
 *   outbox.send(List.of(answer(receipt)));   // the same answer, however often it is asked for
 * }
 * }</pre>
 *
 * <p>Consumers of commands with batches, leases and compensations use {@link Participant}.
 */
@ApplicationScoped
public class Inbox {

  /** The row is not visible before the transaction ends, so its lease never matters. */
  private static final Duration UNSEEN = Duration.ZERO;

  private final InboxTable table = new InboxTable();
  private final DataSource database;
  private final TransactionSynchronizationRegistry transactions;
  private final ObjectMapper json;

  Inbox(DataSource database, TransactionSynchronizationRegistry transactions, ObjectMapper json) {
    this.database = database;
    this.transactions = transactions;
    this.json = json;
  }

  /**
   * Does the work unless it was done before under this key, and answers what it came to, then and
   * now. The inbox row is inserted before the work begins, so that of two at once the second waits
   * and finds the first one's outcome.
   *
   * @param scope whose key it is
   * @param fingerprint of the whole message
   * @param type of the outcome; must survive being written as JSON and read back
   * @param work what to do; runs in the caller's transaction
   * @return the outcome of the one time that the work was done
   * @throws UnprocessableMessage when the key was used for another message, or a tombstone stands
   * @throws IllegalStateException when no transaction is open
   */
  public <T> T once(
      String scope, StepKey key, Fingerprint fingerprint, Class<T> type, Supplier<T> work) {
    if (transactions.getTransactionStatus() != Status.STATUS_ACTIVE) {
      throw new IllegalStateException("no transaction is open; call from a @Transactional method");
    }
    InboxRow row = InboxRow.started(new InboxRow.Id(scope, key.toString()), fingerprint, "{}");
    try (Connection connection = database.getConnection()) {
      if (table.insert(connection, List.of(row), UNSEEN).isEmpty()) {
        return before(connection, row, type);
      }
      T outcome = work.get();
      if (table.complete(connection, Map.of(row, json.writeValueAsString(outcome))).isEmpty()) {
        throw new IllegalStateException(key + " was completed by another transaction; roll back");
      }
      return outcome;
    } catch (SQLException | JsonProcessingException e) {
      throw new InboxUnusable(key, e);
    }
  }

  private <T> T before(Connection connection, InboxRow row, Class<T> type)
      throws SQLException, JsonProcessingException {
    InboxRow stored = table.find(connection, Set.of(row.id())).get(row.id());
    if (stored == null || stored.status() != InboxRow.Status.COMPLETED) {
      throw new UnprocessableMessage(
          ParkingReason.HANDLING_FAILED,
          "%s is %s".formatted(row.stepKey(), stored == null ? "gone" : stored.status()));
    }
    if (stored.fingerprint() == null || !stored.fingerprint().equals(row.fingerprint())) {
      throw new UnprocessableMessage(
          ParkingReason.FINGERPRINT_MISMATCH,
          row.stepKey() + " came before with another payload; the first one stands");
    }
    return json.readValue(stored.outcome(), type);
  }
}
