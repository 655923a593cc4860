package io.onceflow.idempotency.internal.admission;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * What each caller uses of this process, so that none uses all of it: requests in hand, bytes of
 * bodies in hand, and requests in a second. Numbers in memory, for as many callers as are
 * configured; those heard of last are remembered.
 */
@ApplicationScoped
class CallerQuotas {

  static final String REQUESTS = "requests";
  static final String CONCURRENCY = "concurrency";
  static final String CONTENT = "content";

  private final AdmissionConfig.Caller config;
  private final long mostBytes;
  private final LongSupplier clock;
  private final Map<String, Usage> byCaller = new LinkedHashMap<>(16, 0.75f, true);

  private long bytes;

  private static final class Usage {
    private final TokenBucket bucket;
    private int inHand;
    private long bytes;

    Usage(TokenBucket bucket) {
      this.bucket = bucket;
    }
  }

  @Inject
  CallerQuotas(AdmissionConfig config) {
    this(config, System::nanoTime);
  }

  /**
   * @param clock in nanoseconds
   */
  CallerQuotas(AdmissionConfig config, LongSupplier clock) {
    this.config = config.caller();
    this.mostBytes = config.mostBytesInHand().asLongValue();
    this.clock = clock;
  }

  /** Takes a place for a request, which {@link #leave} gives back; empty when it is taken. */
  synchronized Optional<QuotaExceeded> tryEnter(String caller) {
    Usage usage = usage(caller);
    if (usage.inHand >= config.mostInHand()) {
      return Optional.of(
          new QuotaExceeded(
              CONCURRENCY,
              config.mostInHand(),
              "concurrent-requests",
              null,
              Duration.ofSeconds(1)));
    }
    Optional<QuotaExceeded> over = tryCharge(caller, 1);
    if (over.isEmpty()) {
      usage.inHand++;
    }
    return over;
  }

  synchronized void leave(String caller) {
    usage(caller).inHand--;
  }

  /** Counts operations as requests; empty when the caller may have them. */
  synchronized Optional<QuotaExceeded> tryCharge(String caller, int operations) {
    TokenBucket bucket = usage(caller).bucket;
    long now = clock.getAsLong();
    return bucket.tryTake(operations, now)
        ? Optional.empty()
        : Optional.of(
            new QuotaExceeded(
                REQUESTS,
                config.burst(),
                null,
                Math.max(1L, config.burst() / config.perSecond()),
                bucket.untilOpen(now)));
  }

  /** Whether a body may be worked on. */
  enum Room {
    TAKEN,
    /** The caller has as many bytes in hand as one caller may. */
    CALLER_FULL,
    FULL
  }

  /** Takes room for a body, which {@link #giveBack} gives back. */
  synchronized Room tryTake(String caller, int length) {
    Usage usage = usage(caller);
    if (usage.bytes > 0 && usage.bytes + length > mostBytesOfOne()) {
      return Room.CALLER_FULL;
    }
    if (bytes > 0 && bytes + length > mostBytes) {
      return Room.FULL;
    }
    bytes += length;
    usage.bytes += length;
    return Room.TAKEN;
  }

  /** What a caller is told whose bodies have no room. */
  QuotaExceeded overBytes() {
    return new QuotaExceeded(
        CONTENT, mostBytesOfOne(), "content-bytes", null, Duration.ofSeconds(1));
  }

  private long mostBytesOfOne() {
    return mostBytes / 2;
  }

  synchronized void giveBack(String caller, int length) {
    bytes -= length;
    usage(caller).bytes -= length;
  }

  /** Callers that are remembered. */
  synchronized int remembered() {
    return byCaller.size();
  }

  private Usage usage(String caller) {
    Usage usage =
        byCaller.computeIfAbsent(
            caller,
            unheardOf ->
                new Usage(new TokenBucket(config.burst(), config.perSecond(), clock.getAsLong())));
    forgetSome();
    return usage;
  }

  /** The least recently heard of, but none who has something in hand. */
  private void forgetSome() {
    var eldest = byCaller.values().iterator();
    while (byCaller.size() > config.remembered() && eldest.hasNext()) {
      Usage usage = eldest.next();
      if (usage.inHand == 0 && usage.bytes == 0) {
        eldest.remove();
      }
    }
  }
}
