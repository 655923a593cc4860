package io.onceflow.idempotency.internal.admission;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.onceflow.core.internal.Fingerprint;
import io.onceflow.idempotency.internal.admission.RequestPattern.Kind;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tokens whose caller has just used up a quota. For a moment their requests are refused before
 * authentication, so that a flood from one caller does not use up the requests and threads of
 * others: checking a token costs more than refusing it. A token is remembered only after it was
 * checked, so no client can cause the refusal of another caller.
 */
@ApplicationScoped
class RefusedTokens {

  /** So a token is checked at most ten times a second. */
  private static final Duration REMEMBERED = Duration.ofMillis(100);

  private static final int MOST = 1_000;

  private final LongSupplier clock;
  private final Map<String, Refused> byHash = new LinkedHashMap<>();

  private record Refused(QuotaExceeded over, long untilNanos) {}

  @Inject
  RefusedTokens() {
    this(System::nanoTime);
  }

  /**
   * @param clock in nanoseconds
   */
  RefusedTokens(LongSupplier clock) {
    this.clock = clock;
  }

  /**
   * Remembers the token of a request that was refused.
   *
   * @param kind of requests that are refused
   * @param authorization the request's header; null when it has none
   */
  synchronized void remember(Kind kind, @Nullable String authorization, QuotaExceeded over) {
    if (authorization == null) {
      return;
    }
    String hash = hash(kind, authorization);
    byHash.remove(hash);
    byHash.put(hash, new Refused(over, clock.getAsLong() + REMEMBERED.toNanos()));
    forgetSome();
  }

  /** Removes expired entries, and the oldest above the limit. */
  private void forgetSome() {
    var eldest = byHash.values().iterator();
    while (eldest.hasNext() && (isOver(eldest.next()) || byHash.size() > MOST)) {
      eldest.remove();
    }
  }

  /** Why a request with this token is refused; empty when it is not. */
  synchronized Optional<QuotaExceeded> find(Kind kind, @Nullable String authorization) {
    if (authorization == null || byHash.isEmpty()) {
      return Optional.empty();
    }
    return Optional.ofNullable(byHash.get(hash(kind, authorization)))
        .filter(refused -> !isOver(refused))
        .map(Refused::over);
  }

  synchronized int size() {
    return byHash.size();
  }

  private boolean isOver(Refused refused) {
    return refused.untilNanos - clock.getAsLong() <= 0;
  }

  private static String hash(Kind kind, String authorization) {
    return kind
        + HexFormat.of().formatHex(Fingerprint.sha256().digest(authorization.getBytes(UTF_8)));
  }
}
