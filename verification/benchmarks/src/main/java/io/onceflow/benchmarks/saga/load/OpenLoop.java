package io.onceflow.benchmarks.saga.load;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Requests arrive at a rate, whether or not those before have their answer, and every time is taken
 * from the moment when a request was meant to start: a server that stalls is charged for all that
 * came meanwhile (no coordinated omission).
 */
public final class OpenLoop {

  private static final Duration GRACE = Duration.ofMinutes(3);

  /** So that the first requests are not late. */
  private static final Duration LEAD = Duration.ofMillis(100);

  private final OrderClients clients;
  private final Schedule schedule;
  private final Keys keys = new Keys();
  private final Answers.Tally tally = new Answers.Tally();
  private final Map<UUID, Long> startedMicros = new HashMap<>();
  private final CompletableFuture<Answers> answers = new CompletableFuture<>();
  private int answered;
  private long startNanos;
  private long startMicros;

  /**
   * A loop.
   *
   * @param perSecond requests
   * @param length how long they keep coming
   */
  public OpenLoop(OrderClients clients, double perSecond, Duration length) {
    this.clients = clients;
    this.schedule = Schedule.of(perSecond, length);
  }

  /** Sends all, and returns when all are answered. */
  public Answers run() throws InterruptedException {
    Instant start = Instant.now().plus(LEAD);
    startNanos = System.nanoTime() + LEAD.toNanos();
    startMicros = start.getEpochSecond() * 1_000_000 + start.getNano() / 1_000;
    for (int request = 0; request < schedule.requests(); request++) {
      awaitTurn(request);
      int turn = request;
      clients.onEventLoop(() -> send(turn));
    }
    try {
      return answers.get(GRACE.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("The order service does not answer; see its log", e);
    }
  }

  private void awaitTurn(int request) throws InterruptedException {
    long due = startNanos + schedule.nanosTo(request);
    for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
      LockSupport.parkNanos(left);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  private void send(int request) {
    long due = schedule.nanosTo(request);
    clients
        .post(request, keys.next())
        .onComplete(
            done -> {
              if (done.failed()) {
                tally.wrong(done.cause().toString());
              } else if (done.result().isNew()) {
                tally.right(System.nanoTime() - startNanos - due);
                startedMicros.put(
                    UUID.fromString(done.result().order()),
                    startMicros + TimeUnit.NANOSECONDS.toMicros(due));
              } else if (done.result().isShed()) {
                tally.shed();
              } else {
                tally.wrong(done.result().toString());
              }
              answered++;
              if (answered == schedule.requests()) {
                answers.complete(tally.answers());
              }
            });
  }

  /** Each order's meant start, in microseconds since the epoch; to be asked after the run. */
  public Map<UUID, Long> startedMicros() {
    return Map.copyOf(startedMicros);
  }

  /**
   * From each request's meant start until its order was confirmed.
   *
   * @param confirmedMicros when each order was, in microseconds since the epoch
   */
  public Histogram untilConfirmed(Map<UUID, Long> confirmedMicros) {
    Histogram times = Times.histogram();
    startedMicros.forEach(
        (order, started) -> {
          Long confirmed = confirmedMicros.get(order);
          if (confirmed != null) {
            Times.recordMicros(times, confirmed - started);
          }
        });
    return times;
  }
}
