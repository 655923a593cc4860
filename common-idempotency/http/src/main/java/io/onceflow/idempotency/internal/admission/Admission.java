package io.onceflow.idempotency.internal.admission;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.core.internal.Backpressure;
import io.onceflow.idempotency.internal.recovery.PeriodicTask;
import io.onceflow.internal.watchdog.LoopWatch;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Lets requests in while there is room: so many in hand at once, so much that waits behind them.
 * Both are numbers in memory; what waits is looked at by a thread of its own.
 */
@ApplicationScoped
public class Admission {

  public static final String SHED = "onceflow.admission.shed";
  static final String LIMITED = "onceflow.admission.limited";
  public static final String IN_HAND = "onceflow.admission.in-hand";
  public static final String WAITING = "onceflow.admission.waiting";

  /** Why a request is shed although nothing waits too long: as many are being worked on as may. */
  static final String REQUESTS = "requests";

  private final AdmissionConfig config;
  private final List<RequestPattern> patterns;
  private final List<BackpressureProbe> backlogs;
  private final MeterRegistry metrics;
  private final LoopWatch loop;
  private final PeriodicTask looking = new PeriodicTask("the bounds of what waits");
  private final ScheduledExecutorService looks =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("onceflow-admission").factory());

  private int inHand;

  Admission(AdmissionConfig config, @Any Instance<Backpressure> pressures, MeterRegistry metrics) {
    this.config = config;
    this.patterns =
        config.requests().stream().flatMap(List::stream).map(RequestPattern::parse).toList();
    this.backlogs =
        pressures.stream()
            .map(this::backlog)
            .collect(Collectors.toCollection(CopyOnWriteArrayList::new));
    this.metrics = metrics;
    this.loop = LoopWatch.idle("admission", config.sampleInterval());
  }

  void start(@Observes StartupEvent starting) {
    if (patterns.isEmpty()) {
      return;
    }
    Gauge.builder(IN_HAND, this, Admission::inHand)
        .description("Requests that were let in and are not answered, on this replica")
        .register(metrics);
    backlogs.forEach(backlog -> watch(backlog));
    patterns.forEach(this::registerShed);
    loop.begin();
    long nanos = config.sampleInterval().toNanos();
    looks.scheduleWithFixedDelay(this::look, 0, nanos, TimeUnit.NANOSECONDS);
  }

  /** Looks at something too that is not there from the start. */
  void watch(@Observes Backpressure begun) {
    if (!patterns.isEmpty()) {
      BackpressureProbe backlog = backlog(begun);
      backlogs.add(backlog);
      watch(backlog);
    }
  }

  private BackpressureProbe backlog(Backpressure pressure) {
    return new BackpressureProbe(pressure, config.caller().share());
  }

  private void watch(BackpressureProbe backlog) {
    Gauge.builder(WAITING, () -> estimate(backlog))
        .description("What waits behind the requests; the same on every replica")
        .tag("of", backlog.name())
        .register(metrics);
  }

  void stop(@Observes ShutdownEvent stopping) {
    looks.shutdownNow();
    loop.close();
  }

  /** What is configured about this request; empty when it is never shed. */
  Optional<RequestPattern> patternOf(String method, String path) {
    return patterns.stream().filter(pattern -> pattern.matches(method, path)).findFirst();
  }

  /**
   * Lets a request in, which {@link #leave}s when it is done with.
   *
   * @return empty; or why it may not come in, in a word: then it must not leave
   */
  Optional<String> tryEnter(RequestPattern pattern) {
    Optional<String> why = tryEnter();
    why.ifPresent(it -> countShed(pattern, it));
    return why;
  }

  private synchronized Optional<String> tryEnter() {
    Optional<String> full = full();
    if (full.isEmpty()) {
      inHand++;
      backlogs.forEach(BackpressureProbe::admit);
    }
    return full;
  }

  private Optional<String> full() {
    return inHand >= config.mostInHand()
        ? Optional.of(REQUESTS)
        : backlogs.stream()
            .filter(BackpressureProbe::isFull)
            .map(BackpressureProbe::name)
            .findFirst();
  }

  /**
   * Counts a request that was let in as its caller's.
   *
   * @return empty; or what the caller has its share of already
   */
  synchronized Optional<QuotaExceeded> tryEnter(String caller) {
    Optional<QuotaExceeded> over =
        backlogs.stream().filter(backlog -> backlog.isFull(caller)).findFirst().map(this::over);
    if (over.isEmpty()) {
      backlogs.forEach(backlog -> backlog.admit(caller, 1));
    }
    return over;
  }

  private QuotaExceeded over(BackpressureProbe backlog) {
    return new QuotaExceeded(
        backlog.name(), backlog.share(), backlog.name(), null, config.retryAfter());
  }

  /** Counts what a caller's work in the background begins; false when it may not yet. */
  public synchronized boolean tryBegin(String caller, int more) {
    boolean hasRoom = hasRoomInBackground(caller);
    if (hasRoom) {
      begun(caller, more);
    }
    return hasRoom;
  }

  private boolean hasRoomInBackground(String caller) {
    return patterns.isEmpty() // then nothing is looked at
        || backlogs.stream()
            .noneMatch(backlog -> backlog.isFullInBackground(caller, config.backgroundShare()));
  }

  private void begun(String caller, int more) {
    if (patterns.isEmpty()) {
      return;
    }
    backlogs.forEach(
        backlog -> {
          backlog.admit(more);
          backlog.admit(caller, more);
        });
  }

  synchronized void leave() {
    inHand--;
  }

  /** What the refused are told at least. */
  Duration retryAfter() {
    return config.retryAfter();
  }

  public synchronized int inHand() {
    return inHand;
  }

  private synchronized long estimate(BackpressureProbe backlog) {
    return backlog.estimate();
  }

  /** From the start, so that even a first one that is shed is seen as a rise. */
  private void registerShed(RequestPattern pattern) {
    shed(pattern, REQUESTS);
    backlogs.forEach(backlog -> shed(pattern, backlog.name()));
  }

  /** Counts a request that was refused since its caller is over a quota. */
  void countLimited(RequestPattern pattern, QuotaExceeded over) {
    Counter.builder(LIMITED)
        .description("Requests that were refused since their caller had used up a quota")
        .tag("request", pattern.text())
        .tag("of", over.policy())
        .register(metrics)
        .increment();
  }

  private void countShed(RequestPattern pattern, String why) {
    shed(pattern, why).increment();
  }

  private Counter shed(RequestPattern pattern, String why) {
    return Counter.builder(SHED)
        .description(
            "Requests that were refused before anything was done, by what there was too much of")
        .tag("request", pattern.text())
        .tag("of", why)
        .register(metrics);
  }

  /** Reads all limits once; one that cannot be read sheds no request. */
  public void look() {
    looking.attempt(
        () -> {
          Exception failure = null;
          for (BackpressureProbe backlog : backlogs) {
            try {
              look(backlog);
            } catch (Exception e) {
              failure = e;
            }
          }
          if (failure != null) {
            throw failure;
          }
        });
    loop.turned();
  }

  private void look(BackpressureProbe backlog) throws Exception {
    synchronized (this) {
      backlog.beginLook();
    }
    Backpressure.Waiting seen = new Backpressure.Waiting(0, Map.of());
    try {
      seen = backlog.pressure().waiting(backlog.leastToSee());
    } finally {
      synchronized (this) {
        backlog.endLook(seen);
      }
    }
  }
}
