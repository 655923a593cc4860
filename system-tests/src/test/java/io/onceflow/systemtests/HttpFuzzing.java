package io.onceflow.systemtests;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Sends requests that chance has spoilt, several at once, and judges every answer. */
final class HttpFuzzing {

  private static final int CALLERS = 4;
  private static final int CUSTOMERS = 40;

  /** For each byte of an answer; far more than any takes, on a machine that has much else to do. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** So much more often is asked what takes a body: there is most to spoil. */
  private static final int WEIGHT_OF_BODIES = 6;

  /** That are tried for an answer. */
  private static final int CONNECTIONS = 3;

  private final FuzzSettings settings;
  private final List<ApiOperation> operations;
  private final List<String> tokens;
  private final AtomicLong next = new AtomicLong();
  private final AtomicLong slowestMs = new AtomicLong();
  private final Queue<String> findings = new ConcurrentLinkedQueue<>();
  private final Queue<Exchange> accepted = new ConcurrentLinkedQueue<>();
  private final Map<Integer, LongAdder> statuses = new ConcurrentSkipListMap<>();

  /** A request with its answer. */
  record Exchange(HttpInput input, Wire.Answer answer) {}

  HttpFuzzing(Stack stack, FuzzSettings settings, String users) {
    this.settings = settings;
    this.operations =
        stack.services().stream()
            .flatMap(service -> ApiOperation.of(service).stream())
            .flatMap(
                it -> Stream.generate(() -> it).limit(it.body() == null ? 1 : WEIGHT_OF_BODIES))
            .toList();
    this.tokens = new ArrayList<>();
    for (int i = 0; i < CUSTOMERS; i++) {
      tokens.add(stack.issuer().customer(users + i));
    }
    for (int i = 0; i < CUSTOMERS / 4; i++) {
      tokens.add(stack.issuer().operator(users + "operator-" + i));
    }
  }

  /** Sends all of them. */
  void run() {
    try (ExecutorService callers = Executors.newFixedThreadPool(CALLERS)) {
      IntStream.range(0, CALLERS).forEach(caller -> callers.submit(this::call));
    }
  }

  List<String> findings() {
    return List.copyOf(findings);
  }

  /** What was accepted of requests that change something. */
  List<Exchange> accepted() {
    return List.copyOf(accepted);
  }

  String figures() {
    return "%d requests with seed %d: %s; the slowest took %d ms"
        .formatted(settings.inputs(), settings.seed(), statuses, slowestMs.get());
  }

  private void call() {
    Map<ServiceProcess, Wire> wires = new HashMap<>();
    for (long i = next.getAndIncrement(); i < settings.inputs(); i = next.getAndIncrement()) {
      Dice dice = new Dice(settings.seed(), i);
      HttpInput input = HttpInput.of(dice.oneOf(operations), dice.oneOf(tokens), dice);
      send(i, input, wires);
    }
    wires.values().forEach(Wire::close);
  }

  private void send(long number, HttpInput input, Map<ServiceProcess, Wire> wires) {
    long from = System.nanoTime();
    try {
      Wire.Answer answer = answer(input, wires);
      statuses.computeIfAbsent(answer.status(), status -> new LongAdder()).increment();
      HttpOracle.complaint(answer).ifPresent(it -> find(number, it, input, answer.toString()));
      if (answer.status() < 300 && input.method().equals("POST")) {
        accepted.add(new Exchange(input, answer));
      }
    } catch (IOException e) {
      find(number, "no answer", input, e.toString());
    }
    slowestMs.accumulateAndGet(Duration.ofNanos(System.nanoTime() - from).toMillis(), Math::max);
  }

  /**
   * Over the connection of before, or another one where the server has closed that: after its last
   * answer, or while it was still being told what it does not want to hear.
   */
  private static Wire.Answer answer(HttpInput input, Map<ServiceProcess, Wire> wires)
      throws IOException {
    ServiceProcess service = input.about().service();
    for (int left = CONNECTIONS; ; left--) {
      Wire open = wires.remove(service);
      Wire wire = open == null ? Wire.to(service, PATIENCE) : open;
      try {
        return ask(wire, input, wires);
      } catch (EOFException | SocketException e) {
        wire.close();
        if (left == 0) {
          throw e;
        }
      }
    }
  }

  private static Wire.Answer ask(Wire wire, HttpInput input, Map<ServiceProcess, Wire> wires)
      throws IOException {
    boolean isSent = trySend(wire, input);
    Wire.Answer answer = wire.read();
    if (!isSent || answer.isLast() || answer.body().isEmpty() && answer.status() >= 400) {
      wire.close();
    } else {
      wires.put(input.about().service(), wire);
    }
    return answer;
  }

  /**
   * False if the server did not want to hear all of it: it has answered before, and closed the
   * connection (RFC 9112, section 9.5: a client watches for an answer while it sends).
   */
  private static boolean trySend(Wire wire, HttpInput input) throws IOException {
    try {
      wire.send(input.bytes());
      return true;
    } catch (SocketException e) {
      return false;
    }
  }

  private void find(long number, String what, HttpInput input, String answer) {
    findings.add(
        "%s: input %d of seed %d, %s%n%s%n--> %s%n"
            .formatted(what, number, settings.seed(), input.about(), input, answer));
  }
}
