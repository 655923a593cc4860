package io.onceflow.inbox.internal.call;

import io.onceflow.inbox.internal.InboxConfig;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The circuit breaker of one type of command, shared by the scopes. It is opened for all by failed
 * calls of many scopes only: a scope that has an eighth of the window with failed calls continues
 * with a window, a pause and trials apart, until fewer of its calls fail. So the calls of one
 * customer that hang stop no other customer's.
 */
final class SharedCircuitBreaker {

  /** Scopes at least whose calls fill the window, where one has no more than its part. */
  private static final int SCOPES_IN_WINDOW = 8;

  /** Bounds the memory; a scope beyond it is counted with the others again. */
  private static final int MOST_APART = 1_000;

  /** Longer than the pauses between two attempts of a step. */
  private static final Duration LATELY = Duration.ofMinutes(1);

  private final String type;
  private final InboxConfig.CallOut config;
  private final LongSupplier ticker;
  private final CircuitBreaker ofAll;

  /** Of {@link #MOST_APART} scopes at most, the one whose calls are longest ago first. */
  private final Map<String, CircuitBreaker> apart =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, CircuitBreaker> eldest) {
          return size() > MOST_APART;
        }
      };

  /** A call that is allowed, and by which of the breakers. */
  record Entry(CircuitBreaker by, CircuitBreaker.Permit permit) {}

  /**
   * @param type of the commands whose calls are counted
   * @param ticker nanoseconds of a clock that never goes backward
   */
  SharedCircuitBreaker(String type, InboxConfig.CallOut config, LongSupplier ticker) {
    this.type = type;
    this.config = config;
    this.ticker = ticker;
    this.ofAll = new CircuitBreaker(type, config.circuit(), ticker);
  }

  /** Whether calls are stopped: those of all scopes, or those of one that still has some. */
  synchronized boolean isOpen() {
    return ofAll.isOpen()
        || apart.values().stream().anyMatch(its -> its.isOpen() && its.isAskedWithin(LATELY));
  }

  /** Allows a call, which {@link #leave} follows however it ends; null if none is allowed. */
  synchronized @Nullable Entry enter(String scope) {
    CircuitBreaker its = apart.getOrDefault(scope, ofAll);
    CircuitBreaker by = its.isOpen() ? its : ofAll.isOpen() ? ofAll : its;
    CircuitBreaker.Permit permit = by.enter(scope);
    return permit == null ? null : new Entry(by, permit);
  }

  /** A call that was made before its scope was set apart counts where its later calls do. */
  synchronized void leave(String scope, Entry entry, CircuitBreaker.Result result) {
    CircuitBreaker by = entry.permit().isTrial() ? entry.by() : apart.getOrDefault(scope, ofAll);
    by.leave(scope, entry.permit(), result);
    if (by == ofAll && ofAll.failuresOf(scope) >= part()) {
      apart.computeIfAbsent(scope, this::apart);
    } else if (by != ofAll && !by.isOpen() && by.failuresOf(scope) < part()) {
      apart.remove(scope, by);
    }
  }

  private int part() {
    int window = config.circuit().window();
    return config.sharedFairly() ? Math.ceilDiv(window, SCOPES_IN_WINDOW) : window + 1;
  }

  private CircuitBreaker apart(String scope) {
    CircuitBreaker its =
        new CircuitBreaker("%s of %s".formatted(type, scope), config.circuit(), ticker);
    for (int failures = ofAll.failuresOf(scope); failures > 0; failures--) {
      its.leave(scope, new CircuitBreaker.Permit(false), CircuitBreaker.Result.FAILED);
    }
    return its;
  }
}
