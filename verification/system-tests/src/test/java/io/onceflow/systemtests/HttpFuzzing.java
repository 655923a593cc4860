package io.onceflow.systemtests;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.PrimitiveIterator;
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

  /**
   * What the service may take of its processors while a request is answered, of all that are under
   * way at the time; 1.2 seconds are the most that was seen.
   */
  private static final Duration MOST_CPU = Duration.ofSeconds(2);

  private final List<ApiOperation> operations;
  private final List<String> tokens;
  private final LongAdder sent = new LongAdder();
  private final AtomicLong slowestMs = new AtomicLong();
  private final AtomicLong costliestMs = new AtomicLong();
  private volatile boolean isWarm;
  private final Queue<String> findings = new ConcurrentLinkedQueue<>();
  private final Queue<Exchange> accepted = new ConcurrentLinkedQueue<>();
  private final Map<Integer, LongAdder> statuses = new ConcurrentSkipListMap<>();

  /** A request with its answer. */
  record Exchange(HttpInput input, Wire.Answer answer) {}

  HttpFuzzing(Stack stack, String users) {
    this(
        stack.services().stream()
            .flatMap(service -> ApiOperation.of(service).stream())
            .flatMap(
                it -> Stream.generate(() -> it).limit(it.body() == null ? 1 : WEIGHT_OF_BODIES))
            .toList(),
        tokens(stack, users));
  }

  HttpFuzzing(List<ApiOperation> operations, List<String> tokens) {
    this.operations = operations;
    this.tokens = tokens;
  }

  private static List<String> tokens(Stack stack, String users) {
    List<String> tokens = new ArrayList<>();
    for (int i = 0; i < CUSTOMERS; i++) {
      tokens.add(stack.issuer().customer(users + i));
    }
    for (int i = 0; i < CUSTOMERS / 4; i++) {
      tokens.add(stack.issuer().operator(users + "operator-" + i));
    }
    return tokens;
  }

  /** Sends some for whose cost the compiler is to blame. */
  void warmUp(FuzzSettings inputs) {
    run(inputs);
    costliestMs.set(0);
    isWarm = true;
  }

  /** Sends all of them and returns when they are answered. */
  void run(FuzzSettings stretch) {
    PrimitiveIterator.OfInt numbers = stretch.numbers().iterator();
    try (ExecutorService callers = Executors.newFixedThreadPool(CALLERS)) {
      IntStream.range(0, CALLERS)
          .forEach(caller -> callers.submit(() -> call(stretch.seed(), numbers)));
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
    return "%d requests: %s; the slowest took %d ms, the costliest %d ms of processor time"
        .formatted(sent.sum(), statuses, slowestMs.get(), costliestMs.get());
  }

  private void call(long seed, PrimitiveIterator.OfInt numbers) {
    Map<ServiceProcess, Wire> wires = new HashMap<>();
    for (OptionalInt next = next(numbers); next.isPresent(); next = next(numbers)) {
      Dice dice = new Dice(seed, next.getAsInt());
      HttpInput input = HttpInput.of(dice.oneOf(operations), dice.oneOf(tokens), dice);
      send("input %d of seed %d".formatted(next.getAsInt(), seed), input, wires);
    }
    wires.values().forEach(Wire::close);
  }

  private static OptionalInt next(PrimitiveIterator.OfInt numbers) {
    synchronized (numbers) {
      return numbers.hasNext() ? OptionalInt.of(numbers.nextInt()) : OptionalInt.empty();
    }
  }

  private void send(String number, HttpInput input, Map<ServiceProcess, Wire> wires) {
    ServiceProcess service = input.about().service();
    long from = System.nanoTime();
    Duration cpu = service.cpu();
    sent.increment();
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
    judgeCost(number, input, service.cpu().minus(cpu));
  }

  /**
   * What takes long by itself is there while others are answered, and would be charged for them.
   */
  private void judgeCost(String number, HttpInput input, Duration cpu) {
    if (!isWarm || input.pace() != HttpInput.Pace.AT_ONCE) {
      return;
    }
    costliestMs.accumulateAndGet(cpu.toMillis(), Math::max);
    if (cpu.compareTo(MOST_CPU) > 0) {
      String spent = cpu.toMillis() + " ms of processor time until it was answered";
      find(number, spent, input, "more than " + MOST_CPU.toMillis() + " ms");
    }
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
      input.sendOver(wire);
      return true;
    } catch (SocketException e) {
      return false;
    }
  }

  private void find(String number, String what, HttpInput input, String answer) {
    findings.add("%s: %s, %s%n%s%n--> %s%n".formatted(what, number, input.about(), input, answer));
  }
}
