package io.onceflow.systemtests;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Sends orders at a fixed rate, without waiting for answers, and records the answers and the rows
 * that wait in the database.
 */
final class Flood implements AutoCloseable {

  private static final Duration LOOK_EVERY = Duration.ofMillis(100);
  private static final Duration ANSWERED_WITHIN = Duration.ofSeconds(30);

  private final Stack stack;
  private final OrderForm form;
  private final String token;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(2);
  private final Queue<Double> acceptedMs = new ConcurrentLinkedQueue<>();
  private final Queue<String> shedKeys = new ConcurrentLinkedQueue<>();
  private final Queue<String> others = new ConcurrentLinkedQueue<>();
  private final Queue<CompletableFuture<Void>> answers = new ConcurrentLinkedQueue<>();
  private final Curve curve = new Curve();
  private final AtomicLong acceptedSeen = new AtomicLong();
  private final AtomicLong shedSeen = new AtomicLong();

  Flood(Stack stack, Customer customer, OrderForm form) {
    this.stack = stack;
    this.form = form;
    this.token = stack.issuer().customer(customer.name());
  }

  /** Sends so many a second for so long, and returns when all are answered. */
  void run(double perSecond, Duration length) throws InterruptedException {
    long start = System.nanoTime();
    clock.scheduleAtFixedRate(() -> look(start), 0, LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
    long pause = (long) (TimeUnit.SECONDS.toNanos(1) / perSecond);
    var sending = clock.scheduleAtFixedRate(this::send, 0, pause, TimeUnit.NANOSECONDS);
    clock.schedule(() -> sending.cancel(false), length.toMillis(), TimeUnit.MILLISECONDS);
    try {
      sending.get();
    } catch (CancellationException e) {
      CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).join();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private void send() {
    String key = Customer.newKey();
    long start = System.nanoTime();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(stack.orders().url() + "/orders"))
            .timeout(ANSWERED_WITHIN)
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", "\"" + key + "\"")
            .POST(BodyPublishers.ofString(form.json()))
            .build();
    answers.add(
        http.sendAsync(request, BodyHandlers.ofString())
            .handle(
                (answer, failure) -> {
                  note(key, start, answer, failure);
                  return answer;
                })
            .thenAccept(noted -> {}));
  }

  private void note(
      String key, long start, @Nullable HttpResponse<String> answer, @Nullable Throwable failure) {
    if (answer == null) {
      others.add(String.valueOf(failure));
    } else if (answer.statusCode() == 201) {
      acceptedMs.add((System.nanoTime() - start) / 1e6);
      acceptedSeen.incrementAndGet();
    } else if (isShed(answer)) {
      shedKeys.add(key);
      shedSeen.incrementAndGet();
    } else {
      others.add(answer.statusCode() + " " + answer.body());
    }
  }

  /**
   * As it is promised: when to come again, and why, for machines and people. One customer sends all
   * of it, so that customer's share may be used up before the bound of all is reached.
   */
  private static boolean isShed(HttpResponse<String> answer) {
    boolean isQuota = answer.statusCode() == 429;
    String problem = isQuota ? "\"/problems/quota-exceeded\"" : "\"/problems/overloaded\"";
    return (isQuota || answer.statusCode() == 503)
        && answer.headers().firstValueAsLong("Retry-After").orElse(0) >= 1
        && answer
            .headers()
            .firstValue("Content-Type")
            .filter("application/problem+json"::equals)
            .isPresent()
        && answer.body().contains(problem);
  }

  private void look(long start) {
    Database orders = stack.ordersDatabase();
    double perSecond = 1_000.0 / LOOK_EVERY.toMillis();
    curve.at(
        (System.nanoTime() - start) / 1e9,
        acceptedSeen.getAndSet(0) * perSecond,
        shedSeen.getAndSet(0) * perSecond,
        orders.count(
            "SELECT count(*) FROM saga_instance WHERE next_action_at IS NOT NULL AND status <> 'STUCK'"),
        orders.count("SELECT count(*) FROM outbox_message"));
  }

  /** The times of what was accepted, in milliseconds. */
  List<Double> accepted() {
    return List.copyOf(acceptedMs);
  }

  int shed() {
    return shedKeys.size();
  }

  /** A key under which nothing has happened. */
  String aKeyThatWasShed() {
    return shedKeys.element();
  }

  /** What was neither accepted nor shed, in words. */
  List<String> others() {
    return List.copyOf(others);
  }

  double p99Ms() {
    double[] sorted = acceptedMs.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return sorted.length == 0 ? 0 : sorted[(int) Math.ceil(sorted.length * 0.99) - 1];
  }

  /** The most that was seen of it. */
  long highest(Curve.Of what) {
    return curve.highest(what);
  }

  /** Keeps the curve. */
  void write(Path file) throws IOException {
    Files.createDirectories(file.getParent());
    Files.write(file, curve.svg(toString()).getBytes(UTF_8));
  }

  @Override
  public void close() {
    clock.shutdownNow();
    http.shutdownNow();
  }

  @Override
  public String toString() {
    return "%d accepted (p99 %.0f ms), %d shed, %d otherwise %s; at most %d sagas and %d messages"
        .formatted(
            acceptedMs.size(),
            p99Ms(),
            shed(),
            others.size(),
            others.stream().limit(2).toList(),
            highest(Curve.Of.SAGAS),
            highest(Curve.Of.OUTBOX));
  }
}
