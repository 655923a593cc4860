package io.onceflow.benchmarks.load;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A closed loop: each client sends its next request when it has the answer to the last. A server
 * that stalls is therefore asked less, and the percentiles say how long requests take under so many
 * clients, not how long they would at a given rate of arrival (coordinated omission).
 *
 * <p>One run each; its state lives on the event loop.
 */
public abstract sealed class Load permits OwnKeys, Repeats, Herds {

  /** For the last answers, when time is up. */
  private static final Duration GRACE = Duration.ofMinutes(1);

  final Callers callers;
  final String path;
  final Tally tally = new Tally();
  private final String run = Long.toString(System.nanoTime(), Character.MAX_RADIX);
  private long deadlineNanos;
  private long keysSoFar;

  Load(Callers callers, String path) {
    this.callers = callers;
    this.path = path;
  }

  /**
   * Runs it.
   *
   * @param length after which no client starts anything new
   * @throws IllegalStateException when the application does not answer at all
   */
  public final Measured run(Duration length) throws InterruptedException {
    CompletableFuture<Measured> measured = new CompletableFuture<>();
    callers.onEventLoop(() -> begin(length, measured));
    try {
      return measured.get(length.plus(GRACE).toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("The application does not answer; see its log", e);
    }
  }

  private void begin(Duration length, CompletableFuture<Measured> measured) {
    prepare()
        .onFailure(measured::completeExceptionally)
        .onSuccess(
            ready -> {
              long startedAt = System.nanoTime();
              deadlineNanos = startedAt + length.toNanos();
              Future.join(startAll())
                  .onSuccess(
                      done -> measured.complete(tally.measured(System.nanoTime() - startedAt)))
                  .onFailure(measured::completeExceptionally);
            });
  }

  private List<Future<Void>> startAll() {
    List<Future<Void>> loops = new ArrayList<>();
    for (int loop = 0; loop < loops(); loop++) {
      Promise<Void> over = Promise.promise();
      goOn(loop, over);
      loops.add(over.future());
    }
    return loops;
  }

  /** The same again until time is up. Not one future of all steps: it would hold every step. */
  private void goOn(int loop, Promise<Void> over) {
    if (System.nanoTime() - deadlineNanos < 0) {
      step(loop).onComplete(done -> goOn(loop, over));
    } else {
      over.complete();
    }
  }

  /** What is done before time is taken. */
  Future<Void> prepare() {
    return Future.succeededFuture();
  }

  /** How many continue by themselves, side by side. */
  int loops() {
    return callers.clients();
  }

  /** One request or one herd; never fails. */
  abstract Future<Void> step(int loop);

  /** A new key, about as long as a UUID. */
  final String newKey() {
    tally.key();
    return "bench-%s-%012d".formatted(run, keysSoFar++);
  }
}
