package io.onceflow.idempotency;

import jakarta.ws.rs.core.Response;
import java.util.Optional;

/**
 * The limits of one caller, for requests that start many operations at once and for background work
 * that continues after its request. Inject it. See {@code onceflow.admission.caller}.
 */
public interface CallerLimits {

  /**
   * Counts a request as many requests, one for each operation.
   *
   * @param operations beyond the request itself
   * @param path of the request, for the answer
   * @return empty if the caller may start them, else the answer: 429
   */
  Optional<Response> charge(String caller, int operations, String path);

  /**
   * The answer to a caller that has used up a quota: 429.
   *
   * @param what the quota, such as {@code imports}
   */
  Response tooMany(String what, int quota, String path);

  /**
   * Waits until background work may start more operations for a caller: until neither the caller
   * nor all background work has used up its share of the waiting work.
   *
   * @param operations that start then
   * @throws InterruptedException when the process stops
   */
  void awaitRoom(String caller, int operations) throws InterruptedException;
}
