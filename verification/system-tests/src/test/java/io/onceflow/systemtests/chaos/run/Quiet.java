package io.onceflow.systemtests.chaos.run;

import java.time.Duration;
import java.util.List;

/** Knows when nothing happens any more. */
final class Quiet {

  private static final long ASK_EVERY_MS = 1_000;

  /** So often in a row nothing is to be seen. */
  private static final int TIMES = 3;

  private static final List<String> UNFINISHED =
      List.of(
          "SELECT count(*) FROM outbox_message",
          "SELECT count(*) FROM inbox_message WHERE " + Payloads.UNDER_WAY,
          // A command that no replica knows is deferred for a day.
          "SELECT count(*) FROM parked_message WHERE next_attempt_at IS NOT NULL AND waits_for IS NULL");

  /** An import that is worked on in the background. */
  private static final String LEASED_REQUESTS =
      "SELECT count(*) FROM idempotency_record WHERE lease_expires_at > now()";

  private final Tables tables;
  private final Wiretap wiretap;

  Quiet(Tables tables, Wiretap wiretap) {
    this.tables = tables;
    this.wiretap = wiretap;
  }

  /**
   * Waits until nothing is to be seen.
   *
   * @return whether it came to that in time
   */
  boolean await(Duration atMost) {
    long giveUpAt = System.nanoTime() + atMost.toNanos();
    int quiet = 0;
    while (quiet < TIMES && System.nanoTime() - giveUpAt < 0) {
      quiet = unfinished() == 0 ? quiet + 1 : 0;
      Pauses.of(ASK_EVERY_MS);
    }
    return quiet >= TIMES;
  }

  private long unfinished() {
    long count =
        tables.count("orders", "SELECT count(*) FROM saga_instance WHERE ended_at IS NULL");
    count += tables.count("orders", LEASED_REQUESTS);
    for (String database : Tables.DATABASES.values()) {
      for (String query : UNFINISHED) {
        count += tables.count(database, query);
      }
    }
    for (String queue : MessageFaults.QUEUES.values()) {
      count += Math.max(0, wiretap.wire().waiting(queue));
    }
    return count;
  }
}
