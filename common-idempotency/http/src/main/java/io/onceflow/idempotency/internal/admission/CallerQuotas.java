package io.onceflow.idempotency.internal.admission;

import io.onceflow.idempotency.internal.admission.RequestPattern.Kind;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The usage of this process by each caller: requests in progress, bytes of bodies in progress, and
 * requests in a second. Kept in memory for the most recent callers, as many as are configured.
 */
@ApplicationScoped
class CallerQuotas {

  static final String REQUESTS = "requests";
  static final String CONCURRENCY = "concurrency";

  /** What a caller may have in hand whatever others do; enough to continue by. */
  static final int LEAST_IN_HAND = 4;

  /** What each operation may send or be sent; a longer body or answer counts as several. */
  static final int BYTES_OF_AN_OPERATION = 4096;

  private final AdmissionConfig.Caller config;
  private final long mostBytes;
  private final LongSupplier clock;
  private final Map<String, Usage> byCaller = new LinkedHashMap<>(16, 0.75f, true);
  private final Contention contention;

  private final long[] bytes = new long[Memory.values().length];
  private int inHand;

  /** What bytes are held for. */
  enum Memory {
    BODIES("content"),
    ANSWERS("answers");

    private final String policy;

    Memory(String policy) {
      this.policy = policy;
    }

    String policy() {
      return policy;
    }
  }

  private static final class Usage {
    private final Map<Kind, TokenBucket> buckets = new EnumMap<>(Kind.class);
    private final long[] bytes = new long[Memory.values().length];
    private int inHand;

    boolean isIdle() {
      return inHand == 0 && Arrays.stream(bytes).allMatch(held -> held == 0);
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
    this.contention = new Contention(this.config.slowAfter(), clock.getAsLong());
  }

  /** Counts a request until {@link #leave}; empty if it may run, else the quota. */
  synchronized Optional<QuotaExceeded> tryEnter(String caller, Kind kind) {
    Usage usage = usage(caller);
    contention.came(caller, inHand > usage.inHand, clock.getAsLong());
    int most = mostInHand(usage);
    if (usage.inHand >= most) {
      return Optional.of(
          new QuotaExceeded(CONCURRENCY, most, "concurrent-requests", null, Duration.ofSeconds(1)));
    }
    Optional<QuotaExceeded> over = tryCharge(usage, kind, 1);
    if (over.isEmpty()) {
      usage.inHand++;
      inHand++;
    }
    return over;
  }

  /** While callers slow each other down, none has more in hand than all others together. */
  private int mostInHand(Usage usage) {
    if (!contention.isFelt(clock.getAsLong())) {
      return config.mostInHand();
    }
    int ofOthers = inHand - usage.inHand;
    return Math.min(config.mostInHand(), Math.max(LEAST_IN_HAND, ofOthers));
  }

  /**
   * Gives a place back.
   *
   * @param enteredAt when it was taken, by {@link System#nanoTime()}
   */
  synchronized void leave(String caller, long enteredAt) {
    usage(caller).inHand--;
    inHand--;
    contention.done(clock.getAsLong() - enteredAt);
  }

  /** Counts operations as requests; empty if the caller may start them. */
  synchronized Optional<QuotaExceeded> tryCharge(String caller, int operations) {
    return tryCharge(usage(caller), Kind.BEGINS_WORK, operations);
  }

  /** Counts bytes as operations, once it is known how many they are. */
  synchronized void charge(String caller, Kind kind, long sent) {
    bucket(usage(caller), kind)
        .take(Math.toIntExact(sent / BYTES_OF_AN_OPERATION), clock.getAsLong());
  }

  private TokenBucket bucket(Usage usage, Kind kind) {
    return usage.buckets.computeIfAbsent(
        kind, added -> new TokenBucket(config.burst(), config.perSecond(), clock.getAsLong()));
  }

  private Optional<QuotaExceeded> tryCharge(Usage usage, Kind kind, int operations) {
    TokenBucket bucket = bucket(usage, kind);
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

  /** Whether a body may be processed. */
  enum Room {
    TAKEN,
    /** The caller has reached the limit of one caller. */
    CALLER_FULL,
    FULL
  }

  /**
   * Reserves bytes until {@link #giveBack}. A caller gets half of what the others leave: however
   * many hold theirs, there is room for one more.
   */
  synchronized Room tryTake(String caller, Memory memory, long length) {
    long own = usage(caller).bytes[memory.ordinal()];
    long all = bytes[memory.ordinal()];
    if (own > 0 && own + length > (mostBytes - (all - own)) / 2) {
      return Room.CALLER_FULL;
    }
    if (all > 0 && all + length > mostBytes) {
      return Room.FULL;
    }
    hold(caller, memory, length);
    return Room.TAKEN;
  }

  /** Counts bytes that are there already; negative ones are given back. */
  synchronized void hold(String caller, Memory memory, long more) {
    bytes[memory.ordinal()] += more;
    usage(caller).bytes[memory.ordinal()] += more;
  }

  synchronized long held(Memory memory) {
    return bytes[memory.ordinal()];
  }

  /** The quota that a caller with {@link Room#CALLER_FULL} has used up. */
  QuotaExceeded overBytes(Memory memory) {
    return new QuotaExceeded(
        memory.policy(), mostBytes / 2, "content-bytes", null, Duration.ofSeconds(1));
  }

  void giveBack(String caller, Memory memory, long length) {
    hold(caller, memory, -length);
  }

  /** The number of callers in memory. */
  synchronized int remembered() {
    return byCaller.size();
  }

  private Usage usage(String caller) {
    Usage usage = byCaller.computeIfAbsent(caller, unheardOf -> new Usage());
    forgetSome(usage);
    return usage;
  }

  /** Removes the least recent callers, except those with requests in progress and this one. */
  private void forgetSome(Usage current) {
    var eldest = byCaller.values().iterator();
    while (byCaller.size() > config.remembered() && eldest.hasNext()) {
      Usage usage = eldest.next();
      if (usage != current && usage.isIdle()) {
        eldest.remove();
      }
    }
  }
}
