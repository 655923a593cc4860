package io.onceflow.idempotency.internal.store;

import io.onceflow.idempotency.internal.admission.QuotaExceeded;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Map;

/**
 * An answer as it is sent and kept: the first caller gets it from here as well, so that a replay
 * cannot differ.
 *
 * @param status HTTP status
 * @param headers in the order in which the method set them
 * @param body byte for byte; empty for none
 */
public record StoredResponse(int status, Map<String, List<String>> headers, byte[] body) {

  public static final String REPLAYED = "Idempotent-Replayed";

  /** As the first caller gets it. */
  public Response first() {
    return response().build();
  }

  /** As every later one gets it. */
  public Response replayed() {
    return response().header(REPLAYED, "true").build();
  }

  /** True for what is kept in any case. */
  public boolean isSuccess() {
    return !isRefusal() && !isFailure();
  }

  /** True for a business answer that says no: nothing was done. */
  public boolean isRefusal() {
    return status >= 400 && status < 500 && !isFailure();
  }

  /** True when the service could not do what was asked, or not yet; it may be asked again. */
  public boolean isFailure() {
    return status >= 500 || status == QuotaExceeded.STATUS;
  }

  private Response.ResponseBuilder response() {
    Response.ResponseBuilder response = Response.status(status);
    headers.forEach((name, values) -> values.forEach(value -> response.header(name, value)));
    if (body.length > 0) {
      response.entity(body);
    }
    return response;
  }
}
