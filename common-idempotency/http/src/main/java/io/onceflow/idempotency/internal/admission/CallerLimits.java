package io.onceflow.idempotency.internal.admission;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.Response;
import java.util.Optional;

/**
 * What one caller may have of the service, for requests that begin many operations at once and for
 * work that goes on in the background after its request. See {@code onceflow.admission.caller}.
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
   * Counts a request as the many that its operations would have been.
   *
   * @param operations beyond the request itself
   * @param path of the request, for the answer
   * @return empty when the caller may have them, else the answer: 429
   */
  public Optional<Response> charge(String caller, int operations, String path) {
    return quotas.tryCharge(caller, operations).map(over -> over.response(path));
  }

  /**
   * The answer to a caller who has so many of something: 429.
   *
   * @param what of which there is a quota, such as {@code imports}
   */
  public Response tooMany(String what, int quota, String path) {
    return new QuotaExceeded(what, quota, what, null, config.retryAfter()).response(path);
  }

  /**
   * Waits until work in the background may begin more for a caller: while the caller, or all work
   * in the background, fills its share of what waits behind the requests, it stands still.
   *
   * @param operations that are begun then
   * @throws InterruptedException when the process stops
   */
  public void awaitRoom(String caller, int operations) throws InterruptedException {
    while (!admission.tryBegin(caller, operations)) {
      Thread.sleep(config.sampleInterval());
    }
  }
}
