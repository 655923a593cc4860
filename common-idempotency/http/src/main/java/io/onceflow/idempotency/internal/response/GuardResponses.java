package io.onceflow.idempotency.internal.response;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.idempotency.internal.policy.IdempotencyConfig;
import io.onceflow.idempotency.internal.problem.Problem;
import io.onceflow.idempotency.internal.problem.ProblemType;
import io.onceflow.idempotency.internal.request.KeyView;
import io.onceflow.idempotency.internal.store.Claim;
import io.onceflow.idempotency.internal.store.LeaseLost;
import io.quarkus.runtime.LaunchMode;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** The answers of the guard itself. */
@ApplicationScoped
public class GuardResponses {

  private final IdempotencyConfig config;

  GuardResponses(IdempotencyConfig config) {
    this.config = config;
  }

  public Response reused(IdempotencyKey key, String path) {
    return Problem.response(
        ProblemType.IDEMPOTENCY_KEY_REUSED,
        "Key %s was first used for a request with another method, path, query or body; use a fresh key."
            .formatted(key),
        path);
  }

  public Response inProgress(IdempotencyKey key, String path, Claim.InProgress running) {
    long seconds = retryAfter();
    return Problem.response(
        ProblemType.REQUEST_IN_PROGRESS,
        "A request under key %s %s. Repeat the same request in %s s, or at once with Prefer: wait=%s."
            .formatted(key, state(running), seconds, config.waiting().atMost().toSeconds()),
        path,
        seconds);
  }

  /** 202: the work continues; {@code Location} is the path of its outcome. */
  public Response accepted(IdempotencyKey key) {
    return Response.accepted(KeyView.inProgress(key))
        .type(MediaType.APPLICATION_JSON_TYPE)
        .header(HttpHeaders.LOCATION, KeyView.path(key))
        .header(HttpHeaders.RETRY_AFTER, retryAfter())
        .build();
  }

  /** 503: nothing was done. */
  public Response busy(IdempotencyKey key, String path) {
    return Problem.response(
        ProblemType.TOO_BUSY,
        ("Limit of background work reached; nothing was done under key %s. Repeat"
                + " the same request later.")
            .formatted(key),
        path,
        retryAfter());
  }

  /**
   * 503: shed before anything was done. {@code Retry-After} is random, so that callers refused at
   * the same time do not repeat at the same time.
   *
   * @param of the limit that is reached
   * @param retryAfter its least value
   */
  public Response overloaded(String of, String path, Duration retryAfter) {
    long least = Math.max(1, retryAfter.toSeconds());
    return Problem.response(
        ProblemType.OVERLOADED,
        "Limit reached: %s; request not processed. Repeat the same request later.".formatted(of),
        path,
        ThreadLocalRandom.current().nextLong(least, 2 * least + 1));
  }

  /** 503: the store could not be asked, so nothing ran. */
  public Response storeUnavailable(String key, String path) {
    return Problem.response(
        ProblemType.STORE_UNAVAILABLE,
        "The record of key %s cannot be read at the moment, so nothing was done. Repeat the same request later."
            .formatted(key),
        path,
        retryAfter());
  }

  /** 503: the store did not confirm the commit in time. */
  public Response outcomeUnknown(String key, String path) {
    return Problem.response(
        ProblemType.OUTCOME_UNKNOWN,
        "The database did not answer in time, so the request under key %s may be done or not. Repeat the same request under the same key to learn its outcome; it is not done twice."
            .formatted(key),
        path,
        retryAfter());
  }

  /** 503: another run of the same request has taken the claim over. */
  public Response leaseLost(LeaseLost lost, String path) {
    return Problem.response(
        ProblemType.LEASE_LOST, String.valueOf(lost.getMessage()), path, retryAfter());
  }

  /**
   * 500: the operation is at fault. The detail names the fault only in development and in tests;
   * otherwise it is logged.
   */
  public Response notKeepable(ResponseNotReplayable fault, IdempotencyKey key, String path) {
    String detail =
        LaunchMode.current().isDevOrTest()
            ? String.valueOf(fault.getMessage())
            : "The answer to the request under key %s cannot be kept, so nothing of it was."
                .formatted(key);
    return Problem.response(ProblemType.RESPONSE_NOT_KEEPABLE, detail, path);
  }

  private long retryAfter() {
    return Math.max(1, config.retryAfter().toSeconds());
  }

  private static String state(Claim.InProgress running) {
    Duration age = running.age();
    return age == null
        ? "has not ended"
        : "was claimed %s ago and has not ended%s".formatted(seconds(age), lease(running));
  }

  private static String lease(Claim.InProgress running) {
    @Nullable Duration left = running.leaseLeft();
    return left == null || !left.isPositive()
        ? ""
        : "; its lease ends in " + seconds(left) + " unless it is renewed";
  }

  private static String seconds(Duration duration) {
    return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0);
  }
}
