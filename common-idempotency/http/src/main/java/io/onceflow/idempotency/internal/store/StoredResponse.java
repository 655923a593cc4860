package io.onceflow.idempotency.internal.store;

import io.onceflow.idempotency.internal.admission.QuotaExceeded;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * An answer as it is sent and stored. The first caller gets it from here too, so that a replay
 * cannot differ.
 *
 * @param status HTTP status
 * @param headers in the order in which the method set them
 * @param body byte for byte; empty for none
 */
public record StoredResponse(int status, Map<String, List<String>> headers, byte[] body) {

  public static final String REPLAYED = "Idempotent-Replayed";

  /** The answer to the first request. */
  public Response first() {
    return response().build();
  }

  /** The answer to a repeat. */
  public Response replayed() {
    return response().header(REPLAYED, "true").build();
  }

  /** Whether bodies of this type are JSON. */
  public static boolean isJson(MediaType type) {
    String subtype = type.getSubtype().toLowerCase(Locale.ROOT);
    return subtype.equals("json") || subtype.endsWith("+json");
  }

  /** True for an answer that is always stored. */
  public boolean isSuccess() {
    return !isRefusal() && !isFailure();
  }

  /** True for a refusal, after which nothing was done. */
  public boolean isRefusal() {
    return status >= 400 && status < 500 && !isFailure();
  }

  /** True if the request failed and may be repeated. */
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
