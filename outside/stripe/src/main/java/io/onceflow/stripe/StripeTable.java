package io.onceflow.stripe;

import io.onceflow.internal.retention.CollectedTable;
import io.onceflow.internal.retention.ExpiringTable;
import jakarta.inject.Singleton;
import java.util.Optional;

/** The module's tables, whose old rows are deleted. */
abstract class StripeTable implements ExpiringTable {

  private static final String DELETE =
      """
      WITH garbage AS (
      SELECT %2$s
      FROM   %1$s
      WHERE  %3$s <= now() - ? * interval '1 ms'
      ORDER  BY %3$s
      LIMIT  ?
      FOR UPDATE SKIP LOCKED             -- another replica deletes those
      )
      DELETE FROM %1$s USING garbage WHERE %1$s.%2$s = garbage.%2$s
      """;

  private static final String BACKLOG =
      """
      SELECT count(*), extract(epoch FROM now() - min(since)) * 1000
      FROM   (
      SELECT %2$s AS since
      FROM   %1$s
      WHERE  %2$s <= now() - ? * interval '1 ms'
      LIMIT  ?
      ) AS garbage
      """;

  private final StripeConfig config;
  private final String name;
  private final String key;
  private final String time;

  StripeTable(StripeConfig config, String name, String key, String time) {
    this.config = config;
    this.name = name;
    this.key = key;
    this.time = time;
  }

  @Override
  public Optional<CollectedTable> expiring() {
    return Optional.of(
        CollectedTable.undivided(
            name,
            config.retention(),
            DELETE.formatted(name, key, time),
            BACKLOG.formatted(name, time)));
  }

  /** What was asked. */
  @Singleton
  static class Requests extends StripeTable {
    Requests(StripeConfig config) {
      super(config, "stripe_request", "key", "created_at");
    }
  }

  /** What was told. */
  @Singleton
  static class Events extends StripeTable {
    Events(StripeConfig config) {
      super(config, "stripe_event", "id", "received_at");
    }
  }
}
