package io.onceflow.idempotency.internal.admission;

import io.onceflow.idempotency.internal.problem.Problem;
import io.onceflow.idempotency.internal.problem.ProblemType;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A caller has used up a quota: 429, with the fields of draft-ietf-httpapi-ratelimit-headers-10.
 *
 * @param policy its name, such as {@code requests}
 * @param quota its size
 * @param unit of the quota, as the draft names it; null for requests
 * @param window of time, in seconds; null for a quota of concurrent use
 * @param retryAfter after which a request may succeed
 */
public record QuotaExceeded(
    String policy, long quota, @Nullable String unit, @Nullable Long window, Duration retryAfter) {

  static final String POLICY = "RateLimit-Policy";
  static final String STATE = "RateLimit";

  /** Too Many Requests (RFC 6585). */
  public static final int STATUS = 429;

  public Response response(String path) {
    long seconds = Math.max(1, retryAfter.plusMillis(999).toSeconds());
    Response problem =
        Problem.response(
            ProblemType.QUOTA_EXCEEDED,
            "You have used up your quota of %s (%s), so nothing was done. Repeat the same request in %s s."
                .formatted(quota, policy, seconds),
            path,
            seconds);
    return Response.fromResponse(problem)
        .header(POLICY, policyField())
        .header(STATE, "\"%s\";r=0;t=%s".formatted(policy, seconds))
        .build();
  }

  private String policyField() {
    return "\"%s\";q=%s%s%s"
        .formatted(
            policy,
            quota,
            unit == null ? "" : ";qu=\"%s\"".formatted(unit),
            window == null ? "" : ";w=" + window);
  }
}
