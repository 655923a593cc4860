package io.onceflow.easypost;

import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.reconciliation.internal.refund.FailedRefunds;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import javax.sql.DataSource;

/** Tells the labels whose money EasyPost does not give back, where there is a key of EasyPost's. */
@Singleton
class EasyPostFailedRefunds {

  static final String OPEN =
      """
      SELECT   subject AS reference, shipment_id AS refund, refund_failure AS failure
      FROM     easypost_request
      WHERE    refund_failure IS NOT NULL
      AND      resolved_at IS NULL
      ORDER BY created_at, key
      LIMIT    ?
      """;

  private final FailedRefunds refunds;
  private final boolean isUsed;

  EasyPostFailedRefunds(EasyPostConfig config, DataSource database, MeterRegistry registry) {
    this.isUsed = config.apiKey().isPresent();
    this.refunds = new FailedRefunds("easypost", OPEN, database, registry);
  }

  void start(@Observes StartupEvent started) {
    if (isUsed) {
      refunds.start();
    }
  }

  void stop(@Observes ShutdownEvent stopping) {
    refunds.close();
  }
}
