package io.onceflow.benchmarks.saga.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends orders faster than the services can process them, without waiting for earlier answers.
 * Times are measured from the moment when a request was scheduled.
 */
public final class Flood {

  private static final Duration GRACE = Duration.ofMinutes(3);

  private final OrderClients clients;
  private final Schedule schedule;
  private final Keys keys = new Keys();
  private final List<Second> seconds = new ArrayList<>();
  private final Answers.Tally tally = new Answers.Tally();
  private final CompletableFuture<Answers> answers = new CompletableFuture<>();
  private int answered;
  private long startNanos;

  /**
   * A flood.
   *
   * @param perSecond requests
   * @param length how long they keep coming
   */
  public Flood(OrderClients clients, double perSecond, Duration length) {
    this.clients = clients;
    this.schedule = Schedule.of(perSecond, length);
    for (int second = 0; second <= length.toSeconds(); second++) {
      seconds.add(Second.empty());
    }
  }

  /** Sends all and returns when all are answered; answers to shed requests count as right, too. */
  public Answers run() throws InterruptedException {
    startNanos = System.nanoTime();
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

  /** By the seconds in which requests were meant to start; complete when {@link #run} is over. */
  public List<Second> seconds() {
    return List.copyOf(seconds);
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
    Second second = seconds.get((int) TimeUnit.NANOSECONDS.toSeconds(due));
    clients
        .post(request, keys.next())
        .onComplete(
            done -> {
              long nanos = System.nanoTime() - startNanos - due;
              if (done.failed()) {
                tally.wrong(done.cause().toString());
              } else if (done.result().isNew()) {
                tally.right(nanos);
                Times.record(second.accepted(), nanos);
              } else if (done.result().isShed()) {
                Times.record(second.shed(), nanos);
              } else {
                tally.wrong(done.result().toString());
              }
              answered++;
              if (answered == schedule.requests()) {
                answers.complete(tally.answers());
              }
            });
  }
}
