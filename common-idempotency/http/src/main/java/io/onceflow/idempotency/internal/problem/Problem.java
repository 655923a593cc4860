package io.onceflow.idempotency.internal.problem;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import org.jspecify.annotations.Nullable;

/** A problem details body (RFC 9457) of the guard. */
@JsonInclude(Include.NON_NULL)
public record Problem(
    String type,
    String title,
    int status,
    String detail,
    String instance,
    @Nullable Long retryAfterSeconds) {

  public static final String MEDIA_TYPE = "application/problem+json";

  public static Response response(ProblemType type, String detail, String instance) {
    return response(type, detail, instance, null);
  }

  public static Response response(
      ProblemType type, String detail, String instance, @Nullable Long retryAfterSeconds) {
    Response.ResponseBuilder response =
        Response.status(type.status())
            .type(MEDIA_TYPE)
            .header(HttpHeaders.LINK, ProblemAddress.link(type.slug()))
            .entity(
                new Problem(
                    type.path(), type.title(), type.status(), detail, instance, retryAfterSeconds));
    if (retryAfterSeconds != null) {
      response.header(HttpHeaders.RETRY_AFTER, retryAfterSeconds);
    }
    return response.build();
  }
}
