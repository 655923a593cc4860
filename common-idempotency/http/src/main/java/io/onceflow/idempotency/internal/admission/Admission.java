package io.onceflow.idempotency.internal.admission;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.core.internal.Backpressure;
import io.onceflow.idempotency.internal.admission.RequestPattern.Kind;
import io.onceflow.internal.watchdog.PeriodicTask;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Admits requests up to two limits: requests in progress, and work that waits behind them, such as
 * open sagas. Both are numbers in memory; a background thread reads the waiting work.
 */
@ApplicationScoped
public class Admission {

  public static final String SHED = "onceflow.admission.shed";
  static final String LIMITED = "onceflow.admission.limited";
  public static final String IN_HAND = "onceflow.admission.in-hand";
  public static final String WAITING = "onceflow.admission.waiting";

  /** The reason for shedding when the limit of requests in progress is reached. */
  static final String REQUESTS = "requests";

  private final AdmissionConfig config;
  private final List<RequestPattern> patterns;
  private final List<RequestPattern> others;
  private final List<BackpressureProbe> backlogs;
  private final MeterRegistry metrics;
  private final PeriodicTask looks = new PeriodicTask("admission", this::lookAtDue);

  private int inHand;

  Admission(AdmissionConfig config, @Any Instance<Backpressure> pressures, MeterRegistry metrics) {
    this.config = config;
    this.patterns = patterns(config.requests(), Kind.BEGINS_WORK);
    this.others = patterns(config.otherRequests(), Kind.OTHER);
    this.backlogs =
        pressures.stream()
            .map(this::backlog)
            .collect(Collectors.toCollection(CopyOnWriteArrayList::new));
    this.metrics = metrics;
  }

  private static List<RequestPattern> patterns(Optional<List<String>> texts, Kind kind) {
    return texts.stream()
        .flatMap(List::stream)
        .map(text -> RequestPattern.parse(text, kind))
        .toList();
  }

  void start(@Observes StartupEvent starting) {
    if (patterns.isEmpty()) {
      return;
    }
    Gauge.builder(IN_HAND, this, Admission::inHand)
        .description("Admitted requests that are not answered yet, on this replica")
        .register(metrics);
    backlogs.forEach(this::watch);
    patterns.forEach(this::registerShed);
    looks.start(Duration.ZERO, config.sampleInterval());
  }

  /** Adds a limit that is not there from the start. */
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
    Gauge.builder(WAITING, backlog, BackpressureProbe::estimate)
        .description("Work that waits behind the requests; the same on every replica")
        .tag("of", backlog.name())
        .register(metrics);
  }

  void stop(@Observes ShutdownEvent stopping) {
    looks.close();
  }

  /** The configured pattern of this request; empty if no limit applies to it. */
  Optional<RequestPattern> patternOf(String method, String path) {
    List<String> segments = RequestPattern.segments(path);
    return Stream.concat(patterns.stream(), others.stream())
        .filter(pattern -> pattern.matches(method, segments))
        .findFirst();
  }

  /**
   * Admits a request, which calls {@link #leave} when it has ended.
   *
   * @return empty; or the reason for refusing it, in which case it must not call {@code leave}
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
      backlogs.forEach(backlog -> backlog.admit(1));
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
   * Counts an admitted request for its caller.
   *
   * @return empty; or the quota that the caller has used up
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

  /** Counts what a caller's background work starts; false if it must wait. */
  public synchronized boolean tryBegin(String caller, int more) {
    if (patterns.isEmpty()) {
      return true; // then nothing is read
    }
    boolean hasRoom =
        backlogs.stream()
            .noneMatch(backlog -> backlog.isFullInBackground(caller, config.backgroundShare()));
    if (hasRoom) {
      backlogs.forEach(
          backlog -> {
            backlog.admit(more);
            backlog.admit(caller, more);
          });
    }
    return hasRoom;
  }

  synchronized void leave() {
    inHand--;
  }

  /** The least {@code Retry-After} of refused requests. */
  Duration retryAfter() {
    return config.retryAfter();
  }

  public synchronized int inHand() {
    return inHand;
  }

  /** Registered at start, so that the first shed request shows as an increase. */
  private void registerShed(RequestPattern pattern) {
    shed(pattern, REQUESTS);
    backlogs.forEach(backlog -> shed(pattern, backlog.name()));
  }

  /** Counts a request that was refused because its caller had used up a quota. */
  void countLimited(RequestPattern pattern, QuotaExceeded over) {
    Counter.builder(LIMITED)
        .description("Requests refused because their caller had used up a quota")
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
        .description("Requests refused before anything was done, by the limit that was reached")
        .tag("request", pattern.text())
        .tag("of", why)
        .register(metrics);
  }

  /** Reads all numbers once; one that cannot be read sheds no request. */
  public void look() {
    backlogs.forEach(BackpressureProbe::endRest);
    looks.runOnce();
  }

  private void lookAtDue() {
    IllegalStateException failure = null;
    for (BackpressureProbe backlog : backlogs) {
      try {
        backlog.lookIfDue();
      } catch (Exception | Error e) {
        failure = new IllegalStateException(backlog.name() + " cannot be counted: " + e, e);
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
