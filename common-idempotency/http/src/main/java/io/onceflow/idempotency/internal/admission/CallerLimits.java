package io.onceflow.idempotency.internal.admission;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.Response;
import java.util.Optional;

/**
 * The limits of one caller, for requests that begin many operations at once and for background work
 * that continues after its request. See {@code onceflow.admission.caller}.
 */
@ApplicationScoped
public class CallerLimits {

  private final CallerQuotas quotas;
  private final Admission admission;
  private final AdmissionConfig config;

  CallerLimits(CallerQuotas quotas, Admission admission, AdmissionConfig config) {
    this.quotas = quotas;
    this.admission = admission;
    this.config = config;
  }

  /**
   * Counts a request as many requests, one for each operation.
   *
   * @param operations beyond the request itself
   * @param path of the request, for the answer
   * @return empty if the caller may begin them, else the answer: 429
   */
  public Optional<Response> charge(String caller, int operations, String path) {
    return quotas.tryCharge(caller, operations).map(over -> over.response(path));
  }

  /**
   * The answer to a caller that has used up a quota: 429.
   *
   * @param what the quota, such as {@code imports}
   */
  public Response tooMany(String what, int quota, String path) {
    return new QuotaExceeded(what, quota, what, null, config.retryAfter()).response(path);
  }

  /**
   * Waits until background work may begin more operations for a caller: until neither the caller
   * nor all background work has used up its share of the waiting work.
   *
   * @param operations that begin then
   * @throws InterruptedException when the process stops
   */
  public void awaitRoom(String caller, int operations) throws InterruptedException {
    while (!admission.tryBegin(caller, operations)) {
      Thread.sleep(config.sampleInterval());
    }
  }
}
