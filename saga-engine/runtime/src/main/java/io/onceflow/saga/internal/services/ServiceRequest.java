package io.onceflow.saga.internal.services;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What another service is asked. Nothing of it may be a caller's text as it came: paths and queries
 * are put together from parts that were checked and encoded.
 *
 * @param pathAndQuery below the service's base URL, with a slash at its beginning
 * @param body JSON; null for none
 * @param within how long its answer is waited for
 * @param onlyReads whether nothing is lost or done twice when no answer comes
 */
public record ServiceRequest(
    String method, String pathAndQuery, @Nullable String body, Duration within, boolean onlyReads) {

  /** A page that asks several services shows the others after this time. */
  private static final Duration READ_WITHIN = Duration.ofSeconds(2);

  /** A redrive calls what its handler calls. */
  private static final Duration ACT_WITHIN = Duration.ofSeconds(10);

  /** Only a GET reads and changes nothing. */
  public ServiceRequest(
      String method, String pathAndQuery, @Nullable String body, Duration within) {
    this(method, pathAndQuery, body, within, method.equals("GET"));
  }

  /** Reads. */
  public static ServiceRequest get(String pathAndQuery) {
    return new ServiceRequest("GET", pathAndQuery, null, READ_WITHIN);
  }

  /** Reads what a body asks for, since what it names may not stand in URLs, which are logged. */
  public static ServiceRequest query(String path, String body) {
    return new ServiceRequest("POST", path, body, READ_WITHIN, true);
  }

  /** Changes something. */
  public static ServiceRequest act(String method, String pathAndQuery, @Nullable String body) {
    return new ServiceRequest(method, pathAndQuery, body, ACT_WITHIN);
  }
}
