package io.onceflow.easypost;

import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.inbox.internal.RetentionInvalid;
import io.onceflow.sql.ExpiringTable;
import io.onceflow.sql.ExpiringTable.CollectedTable;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.Optional;

/** How long the rows of the module's tables are kept. */
@Singleton
class EasyPostRetention {

  /** What an operator has still to retry or resolve stays. */
  private static final String SETTLED = "(refund_failure IS NULL OR resolved_at IS NOT NULL)";

  /** What was asked; start-up refuses a time that is too short. */
  @Produces
  static ExpiringTable requests(EasyPostConfig config, InboxConfig inbox) {
    return () -> {
      if (config.apiKey().isPresent()) {
        RetentionInvalid.checkRequests("onceflow.easypost.retention", config.retention(), inbox);
      }
      return Optional.of(
          CollectedTable.byTime("easypost_request", "created_at", config.retention(), SETTLED));
    };
  }

  /** What was told. */
  @Produces
  static ExpiringTable events(EasyPostConfig config) {
    return () ->
        Optional.of(CollectedTable.byTime("easypost_event", "received_at", config.retention()));
  }
}
