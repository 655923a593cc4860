package io.onceflow.idempotency;

import static org.awaitility.Awaitility.await;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.internal.Fingerprint;
import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.internal.store.Claim;
import io.onceflow.idempotency.internal.store.ClaimRequest;
import io.onceflow.idempotency.internal.store.Ownership;
import io.onceflow.idempotency.internal.store.StoredResponse;
import io.onceflow.idempotency.testing.TestDatabase;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/** Another process on the same database, which gets the very requests that the first one got. */
final class Rival implements AutoCloseable {

  private static final String END_LEASE =
      "UPDATE idempotency_record SET lease_expires_at = now() - interval '1 ms' WHERE key = ?";

  private final TestDatabase database;
  private final PostgresProcess process;

  Rival(TestDatabase database) {
    this.database = database;
    this.process = new PostgresProcess(database);
  }

  /** Claims a key that is claimed already, as if its owner had given no sign of life for long. */
  Ownership takeOver(String key) {
    ClaimRequest request = request(key, Idempotent.Mode.LEASED);
    AtomicReference<Claim> claim = new AtomicReference<>();
    // The owner lives, so a sign of life may come in between.
    await()
        .pollInterval(Duration.ofMillis(1))
        .until(
            () -> {
              database.update(END_LEASE, key);
              claim.set(process.store().claim(request));
              return claim.get() instanceof Claim.Won;
            });
    return ((Claim.Won) claim.get()).ownership();
  }

  /** Runs the request anew in a transaction of its own, which stays open. */
  Ownership runInTransaction(String key) throws Exception {
    ClaimRequest request = request(key, Idempotent.Mode.TRANSACTIONAL);
    database.update("DELETE FROM idempotency_record WHERE key = ?", key);
    process.begin();
    return ((Claim.Won) process.store().claim(request)).ownership();
  }

  /** Completes in the open transaction, and commits it. */
  void commit(Ownership own, StoredResponse response) throws Exception {
    process.store().complete(own, response);
    process.commit();
  }

  /** Undoes the open transaction. */
  void rollBack() throws Exception {
    process.rollBack();
  }

  /** Completes what it took over. */
  void complete(Ownership own, StoredResponse response) throws Exception {
    process.begin();
    process.store().complete(own, response);
    process.commit();
  }

  void release(Ownership own) {
    process.store().release(own);
  }

  private ClaimRequest request(String key, Idempotent.Mode mode) {
    String where = " FROM idempotency_record WHERE key = ?";
    return new ClaimRequest(
        new ScopedKey(text("SELECT scope" + where, key), new IdempotencyKey(key)),
        Fingerprint.stored(
            HexFormat.of().parseHex(text("SELECT encode(fingerprint, 'hex')" + where, key))),
        text("SELECT operation" + where, key),
        mode,
        Duration.ofMinutes(1),
        Duration.ofHours(1));
  }

  private String text(String sql, String key) {
    return Objects.requireNonNull(database.text(sql, key));
  }

  @Override
  public void close() {
    process.close();
  }
}
