package io.onceflow.easypost;

import io.onceflow.internal.retention.CollectedTable;
import io.onceflow.internal.retention.ExpiringTable;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.Optional;

/** How long the rows of the module's tables are kept. */
@Singleton
class EasyPostRetention {

  /** What was asked. */
  @Produces
  static ExpiringTable requests(EasyPostConfig config) {
    return () ->
        Optional.of(
            CollectedTable.byTime("easypost_request", "key", "created_at", config.retention()));
  }

  /** What was told. */
  @Produces
  static ExpiringTable events(EasyPostConfig config) {
    return () ->
        Optional.of(
            CollectedTable.byTime("easypost_event", "id", "received_at", config.retention()));
  }
}
