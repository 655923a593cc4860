package io.onceflow.benchmarks.saga.load;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

/** Each client sends its next request when it has the answer to its last. One run each. */
public final class ClosedLoop {

  /** For the last answers, when time is up. */
  private static final Duration GRACE = Duration.ofMinutes(2);

  private final LoadClients clients;
  private final int many;
  private final IntFunction<Request> next;
  private final boolean areRepeats;
  private final Answers.Tally tally = new Answers.Tally();
  private long deadlineNanos;

  /**
   * What a client sends next.
   *
   * @param customer whose request it is
   */
  record Request(int customer, String key) {}

  private ClosedLoop(LoadClients clients, int many, IntFunction<Request> next, boolean areRepeats) {
    this.clients = clients;
    this.many = many;
    this.next = next;
    this.areRepeats = areRepeats;
  }

  /**
   * Every request is a new order.
   *
   * @param many how many clients
   */
  public static ClosedLoop ofOrders(LoadClients clients, int many) {
    Keys keys = new Keys();
    return new ClosedLoop(clients, many, client -> new Request(client, keys.next()), false);
  }

  /**
   * Every request repeats one that {@link Finished} has placed.
   *
   * @param many how many clients
   */
  public static ClosedLoop ofRepeats(LoadClients clients, int many, Finished finished) {
    return new ClosedLoop(clients, many, finished::next, true);
  }

  /**
   * Runs it.
   *
   * @param length after which no client starts anything new
   * @throws IllegalStateException when the service does not answer at all
   */
  public Answers run(Duration length) throws InterruptedException {
    CompletableFuture<Answers> answers = new CompletableFuture<>();
    clients.onEventLoop(
        () -> {
          deadlineNanos = System.nanoTime() + length.toNanos();
          List<Future<Void>> loops = new ArrayList<>();
          for (int client = 0; client < many; client++) {
            Promise<Void> over = Promise.promise();
            loops.add(over.future());
            goOn(client, over);
          }
          Future.join(loops).onComplete(done -> answers.complete(tally.answers()));
        });
    try {
      return answers.get(length.plus(GRACE).toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("The order service does not answer; see its log", e);
    }
  }

  /** The same again until time is up. Not one future of all steps: it would hold every step. */
  private void goOn(int client, Promise<Void> over) {
    long sentAt = System.nanoTime();
    if (sentAt - deadlineNanos >= 0) {
      over.complete();
      return;
    }
    Request request = next.apply(client);
    clients
        .post(request.customer(), request.key())
        .onComplete(
            done -> {
              if (done.failed()) {
                tally.wrong(done.cause().toString());
              } else {
                judge(done.result(), System.nanoTime() - sentAt);
              }
              goOn(client, over);
            });
  }

  private void judge(Placed placed, long nanos) {
    if (areRepeats ? placed.isRepeat() : placed.isNew()) {
      tally.right(nanos);
    } else {
      tally.wrong(placed.toString());
    }
  }
}
