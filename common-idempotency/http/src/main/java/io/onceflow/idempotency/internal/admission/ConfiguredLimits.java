package io.onceflow.idempotency.internal.admission;

import io.onceflow.idempotency.CallerLimits;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.Response;
import java.util.Optional;

/** The limits of callers as they are configured. */
@ApplicationScoped
class ConfiguredLimits implements CallerLimits {

  private final CallerQuotas quotas;
  private final Admission admission;
  private final AdmissionConfig config;

  ConfiguredLimits(CallerQuotas quotas, Admission admission, AdmissionConfig config) {
    this.quotas = quotas;
    this.admission = admission;
    this.config = config;
  }

  @Override
  public Optional<Response> charge(String caller, int operations, String path) {
    return quotas.tryCharge(caller, operations).map(over -> over.response(path));
  }

  @Override
  public Response tooMany(String what, int quota, String path) {
    return new QuotaExceeded(what, quota, what, null, config.retryAfter()).response(path);
  }

  @Override
  public void awaitRoom(String caller, int operations) throws InterruptedException {
    while (!admission.tryBegin(caller, operations)) {
      Thread.sleep(config.sampleInterval());
    }
  }
}
