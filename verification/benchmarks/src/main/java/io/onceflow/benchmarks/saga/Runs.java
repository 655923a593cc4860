package io.onceflow.benchmarks.saga;

import io.onceflow.benchmarks.machine.Machine;
import io.onceflow.benchmarks.peers.OrderMix;
import io.onceflow.benchmarks.saga.load.Answers;
import io.onceflow.benchmarks.saga.load.Callers;
import io.onceflow.benchmarks.saga.load.ClosedLoop;
import io.onceflow.benchmarks.saga.load.Finished;
import io.onceflow.benchmarks.saga.load.Flood;
import io.onceflow.benchmarks.saga.load.OneAlone;
import io.onceflow.benchmarks.saga.load.OpenLoop;
import io.onceflow.benchmarks.saga.load.OrderBooks;
import io.onceflow.benchmarks.saga.load.OrderClients;
import io.onceflow.benchmarks.saga.load.Outcome;
import io.onceflow.benchmarks.saga.stack.OrderStack;
import io.onceflow.benchmarks.saga.stack.OrderStack.Table;
import io.onceflow.launcher.token.KeyFiles;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The runs against a stack that is up. After each, all its orders must have been confirmed. */
public final class Runs implements AutoCloseable {

  /** Connections of an open loop: more than are ever busy unless the service falls behind. */
  private static final int OPEN_CONNECTIONS = 256;

  /** Of a flood: enough that no request waits for a connection while others are refused. */
  private static final int FLOOD_CONNECTIONS = 1024;

  /** For what clients placed faster than it can be worked off. */
  private static final Duration DRAIN_WITHIN = Duration.ofMinutes(5);

  /** Of each client, asked for over and over. */
  private static final int FINISHED_EACH = 64;

  private final OrderStack stack;
  private final Callers callers;
  private final OrderBooks books;
  private final List<String> faults = new ArrayList<>();

  /** Runs against a stack, which is not closed with them. */
  public Runs(OrderStack stack, KeyFiles keys) throws IOException, SQLException {
    this.stack = stack;
    this.callers = new Callers(keys);
    books =
        new OrderBooks(
            stack.connect(Table.ORDERS),
            stack.connect(Table.PAYMENT),
            stack.connect(Table.SHIPMENT));
  }

  /** What must not be, of all runs so far, in words. */
  public List<String> faults() {
    return List.copyOf(faults);
  }

  ClosedRun closedLoop(int many, Duration length)
      throws IOException, SQLException, InterruptedException {
    return closedLoop(many, length, OrderMix.ALL_CONFIRMED);
  }

  /** Each client sends its next order when its last was answered. */
  public ClosedRun closedLoop(int many, Duration length, OrderMix mix)
      throws IOException, SQLException, InterruptedException {
    UUID since = OrderBooks.now();
    Instant start = Instant.now();
    Duration cpuBefore = Machine.cpuOfThisProcess();
    Answers answers;
    long refused;
    try (OrderClients clients = new OrderClients(stack.orders(), callers, many, mix)) {
      answers = ClosedLoop.ofOrders(clients, many).run(length);
      refused = clients.refused();
    }
    Outcome outcome = end("closed loop, %d clients".formatted(many), since, answers, refused);
    Duration cpu = Machine.cpuOfThisProcess().minus(cpuBefore);
    Instant last = Instant.EPOCH.plus(outcome.lastMicros(), ChronoUnit.MICROS);
    long ended = outcome.confirmed() + outcome.cancelled();
    return new ClosedRun(
        many, ended, outcome.cancelled(), Duration.between(start, last), answers, cpu);
  }

  /** Orders arrive at a rate. */
  public OpenRun openLoop(double part, double perSecond, Duration length)
      throws IOException, SQLException, InterruptedException {
    UUID since = OrderBooks.now();
    try (OrderClients clients = clients(OPEN_CONNECTIONS)) {
      OpenLoop loop = new OpenLoop(clients, perSecond, length);
      Answers answers = loop.run();
      end("open loop, %.0f/s".formatted(perSecond), since, answers);
      return new OpenRun(
          part,
          perSecond,
          answers,
          loop.untilConfirmed(books.confirmedMicros(since)),
          loop.startedMicros());
    }
  }

  /** Faster than it can be worked off. */
  OverloadRun overload(double perSecond, Duration length)
      throws IOException, SQLException, InterruptedException {
    UUID since = OrderBooks.now();
    try (OrderClients clients = clients(FLOOD_CONNECTIONS);
        BacklogWatch watch = BacklogWatch.of(stack.servers())) {
      Flood flood = new Flood(clients, perSecond, length);
      watch.start();
      Answers answers = flood.run();
      long startNanos = System.nanoTime();
      end("overload, %.0f/s".formatted(perSecond), since, answers);
      Duration drained = Duration.ofNanos(System.nanoTime() - startNanos);
      return new OverloadRun(perSecond, length, answers, flood.seconds(), watch.looks(), drained);
    }
  }

  /** One saga after the other. */
  public OneAlone.Took oneAlone(int times) throws IOException, SQLException, InterruptedException {
    try (OrderClients clients = clients(1);
        Connection orders = stack.connect(Table.ORDERS)) {
      // Each look would be a commit, and commits are counted.
      orders.setAutoCommit(false);
      return new OneAlone(clients, orders).run(times);
    }
  }

  /** One saga under a key, until its order is confirmed. */
  void oneSaga(UUID key) throws IOException, SQLException, InterruptedException {
    try (OrderClients clients = clients(1);
        Connection orders = stack.connect(Table.ORDERS)) {
      new OneAlone(clients, orders).run(key.toString());
    }
  }

  /** Answers per second, of stored answers. */
  double replays(int many, Duration length) throws IOException, SQLException, InterruptedException {
    UUID since = OrderBooks.now();
    try (OrderClients clients = clients(many)) {
      Finished finished = Finished.place(clients, many, FINISHED_EACH);
      Outcome before = books.awaitEnd(since, DRAIN_WITHIN);
      long startNanos = System.nanoTime();
      Answers answers = ClosedLoop.ofRepeats(clients, many, finished).run(length);
      double seconds = (System.nanoTime() - startNanos) / 1e9;
      Outcome after = books.awaitEnd(since, DRAIN_WITHIN);
      if (answers.wrong() > 0 || after.orders() != before.orders()) {
        faults.add(
            "replays: %d wrong answers, such as %s; %d orders before, %d after"
                .formatted(answers.wrong(), answers.examples(), before.orders(), after.orders()));
      }
      return answers.right() / seconds;
    }
  }

  private OrderClients clients(int connections) {
    return new OrderClients(stack.orders(), callers, connections);
  }

  private Outcome end(String run, UUID since, Answers answers)
      throws SQLException, InterruptedException {
    return end(run, since, answers, 0);
  }

  private Outcome end(String run, UUID since, Answers answers, long refused)
      throws SQLException, InterruptedException {
    Outcome outcome = books.awaitEnd(since, DRAIN_WITHIN);
    faults.addAll(outcome.faults(run, answers, refused));
    return outcome;
  }

  @Override
  public void close() throws SQLException {
    books.close();
  }
}
