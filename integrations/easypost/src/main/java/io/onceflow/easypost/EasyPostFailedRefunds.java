package io.onceflow.easypost;

import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.reconciliation.internal.refund.FailedRefunds;
import jakarta.inject.Singleton;
import javax.sql.DataSource;

/** The labels whose money EasyPost does not give back. */
@Singleton
class EasyPostFailedRefunds extends FailedRefunds {

  private static final String OPEN =
      """
      SELECT subject AS reference, shipment_id AS refund, refund_failure AS failure, created_at,
             key AS call
      FROM   easypost_request
      WHERE  refund_failure IS NOT NULL
      AND    resolved_at IS NULL
      """;

  EasyPostFailedRefunds(EasyPostConfig config, DataSource database, MeterRegistry registry) {
    super("easypost", OPEN, config.apiKey().isPresent(), database, registry);
  }
}
