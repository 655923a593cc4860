package io.onceflow.systemtests.chaos.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;

/**
 * Customers who order one thing after the other, repeat what is not answered, send the same twice
 * at once, and cancel.
 */
final class Fleet {

  private static final int FIRST_RETRY_MS = 100;
  private static final int LONGEST_RETRY_MS = 2_000;

  /** After the last order, customers go on asking for so long. */
  private static final long PATIENCE_MS = 90_000;

  private final Api api;
  private final ConcurrentLinkedQueue<Dealing> dealings = new ConcurrentLinkedQueue<>();
  private final List<Thread> customers = new ArrayList<>();
  private final ConcurrentLinkedQueue<Thread> cancelling = new ConcurrentLinkedQueue<>();
  private volatile boolean ordering = true;
  private volatile long giveUpAt = Long.MAX_VALUE;

  Fleet(Api api) {
    this.api = api;
  }

  void start(int number, long seed) {
    for (int i = 0; i < number; i++) {
      String name = "customer-%d-%d".formatted(seed, i);
      Random random = new Random(seed * 31 + i);
      customers.add(Thread.ofVirtual().start(() -> live(name, random)));
    }
  }

  /** Customers place no new orders; they finish those that they have begun. */
  void stopOrdering() {
    giveUpAt = System.currentTimeMillis() + PATIENCE_MS;
    ordering = false;
  }

  /** Waits until all have had their answers, or given up. */
  void join() throws InterruptedException {
    for (Thread thread : customers) {
      thread.join();
    }
    for (Thread thread : cancelling) {
      thread.join();
    }
  }

  List<Dealing> dealings() {
    return List.copyOf(dealings);
  }

  private void live(String customer, Random random) {
    while (ordering) {
      Wish wish = Wish.draw(random);
      Dealing dealing = new Dealing(customer, new UUID(random.nextLong(), 0).toString(), wish);
      dealings.add(dealing);
      deal(dealing);
      Pauses.of(wish.thinkMs());
    }
  }

  private void deal(Dealing dealing) {
    List<Thread> twins = new ArrayList<>();
    for (int i = 1; i < dealing.wish.twins(); i++) {
      twins.add(Thread.ofVirtual().start(() -> place(dealing)));
    }
    String orderId = place(dealing);
    int cancelAfter = dealing.wish.cancelAfterMs();
    if (!orderId.isEmpty() && dealing.wish.repeats()) {
      place(dealing);
    }
    if (!orderId.isEmpty() && cancelAfter >= 0) {
      // Not waited for: customers who think it over order other things meanwhile.
      cancelling.add(Thread.ofVirtual().start(() -> cancelLater(dealing, orderId, cancelAfter)));
    }
    twins.forEach(Fleet::join);
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The order's id, or empty if they gave up. */
  private String place(Dealing dealing) {
    Api.Answer answer =
        insist(dealing, "POST /orders", () -> api.place(dealing), it -> it.status() == 201);
    String orderId = answer.status() == 201 ? Payloads.text(answer.body(), "id") : "";
    if (!orderId.isEmpty()) {
      dealing.accepted(orderId);
    }
    return orderId;
  }

  private void cancelLater(Dealing dealing, String orderId, int afterMs) {
    Pauses.of(afterMs);
    String key = UUID.randomUUID().toString();
    Api.Answer answer =
        insist(
            dealing,
            "POST cancellation",
            () -> api.post(dealing.customer, key, "/orders/" + orderId + "/cancellation", ""),
            it -> !outcome(it).isEmpty());
    if (!outcome(answer).isEmpty()) {
      dealing.cancellation(outcome(answer));
    }
  }

  /** What a cancellation was answered, or empty if that was no answer. */
  private static String outcome(Api.Answer answer) {
    if (answer.status() == 202) {
      return Payloads.text(answer.body(), "outcome");
    }
    boolean isTooLate =
        answer.status() == 409 && Payloads.text(answer.body(), "type").endsWith("/too-late");
    return isTooLate ? "too-late" : "";
  }

  private Api.Answer insist(
      Dealing dealing, String what, EntryHistory.Request request, Predicate<Api.Answer> isEnough) {
    Api.Answer answer = new Api.Answer(0, "");
    int pause = FIRST_RETRY_MS;
    while (System.currentTimeMillis() < giveUpAt) {
      try {
        answer = request.send();
        dealing.note(what, answer.status() + " " + answer.body().strip());
        if (isEnough.test(answer)) {
          return answer;
        }
      } catch (IOException e) {
        dealing.note(what, e.toString());
      }
      Pauses.of(pause);
      pause = Math.min(LONGEST_RETRY_MS, pause * 2);
    }
    return answer;
  }
}
