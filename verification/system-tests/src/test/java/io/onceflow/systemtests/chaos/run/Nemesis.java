package io.onceflow.systemtests.chaos.run;

import io.onceflow.systemtests.chaos.plan.Fault;
import io.onceflow.systemtests.chaos.stack.Cluster;
import io.onceflow.systemtests.chaos.stack.Replica;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Carries out a plan. Faults may overlap; each mends what it broke. */
final class Nemesis {

  private final Cluster cluster;
  private final Timeline timeline;
  private final ProcessFaults processes;
  private final ServerFaults servers;
  private final ConnectionFaults connections;
  private final MessageFaults messages;
  private final CallerFaults callers;
  private final ReaderFaults readers;
  private final PoisonFaults poison;
  private final @Nullable Path otherVersion;
  private final List<Thread> underWay = new ArrayList<>();

  Nemesis(
      Cluster cluster,
      Timeline timeline,
      Recoveries recoveries,
      MessageFaults messages,
      ProcessFaults processes,
      CallerFaults callers,
      ReaderFaults readers,
      PoisonFaults poison,
      @Nullable Path otherVersion) {
    this.cluster = cluster;
    this.timeline = timeline;
    this.processes = processes;
    this.servers = new ServerFaults(cluster, recoveries, messages);
    this.connections = new ConnectionFaults(recoveries);
    this.messages = messages;
    this.callers = callers;
    this.readers = readers;
    this.poison = poison;
    this.otherVersion = otherVersion;
  }

  /** Does everything in its time, and returns when the last of it is mended. */
  void run(List<Fault> plan) throws InterruptedException {
    Instant begin = Instant.now();
    for (Fault fault : plan) {
      Duration wait = Duration.between(Instant.now(), begin.plus(fault.at()));
      if (wait.isPositive()) {
        Pauses.of(wait.toMillis());
      }
      underWay.add(Thread.ofPlatform().start(() -> carryOut(fault)));
    }
    for (Thread thread : underWay) {
      thread.join();
    }
  }

  /**
   * Does one thing after the other, each alone, and sees how others are served meanwhile.
   *
   * @param others who are not to notice
   */
  void runOneAtATime(List<Fault> plan, Bystanders others) {
    for (Fault fault : plan) {
      long begun = System.nanoTime();
      carryOut(fault);
      others.look(fault, begun, System.nanoTime());
    }
  }

  /** Starts every process that does not run, and restores all connections. */
  void heal() throws IOException, InterruptedException {
    servers.heal();
    for (Replica replica : cluster.replicas()) {
      connections.mend(replica);
      processes.mend(replica);
    }
  }

  /** Once all processes are ready: has operators see to the sagas that were poisoned. */
  void healPoisoned() throws IOException {
    poison.heal(cluster.replicas().getFirst(), cluster.issuer().operator());
  }

  private void carryOut(Fault fault) {
    Instant from = Instant.now();
    String detail;
    try {
      detail = act(fault);
    } catch (IOException | IllegalStateException e) {
      // The nemesis suffers from its own doings: a broker that it killed does not take a message.
      detail = "could not: " + (e.getMessage() == null ? e.getCause() : e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      detail = "was interrupted";
    }
    timeline.add(from, fault.kind().name(), detail);
  }

  private String act(Fault fault) throws IOException, InterruptedException {
    Replica replica = cluster.replicas().get(fault.replica());
    return switch (fault.kind()) {
      case KILL -> processes.kill(replica, fault.lasting());
      case KILL_BOTH -> processes.killBoth(replica, fault.lasting());
      case FREEZE -> {
        // So that it has calls in its hands whose results come too late.
        messages.askSlowly();
        yield processes.freeze(replica, fault.lasting());
      }
      case CLOCK -> processes.restartWithWrongClock(replica, fault.atBroker());
      case BROKER -> servers.killBroker(fault.lasting());
      case DATABASE -> servers.killDatabase(fault.lasting());
      case CUT -> connections.cut(replica, fault.atBroker());
      case STALL -> connections.stall(replica, fault.atBroker(), fault.lasting());
      case DELAY -> connections.delay(replica, fault.atBroker(), fault.lasting());
      case REBALANCE -> messages.rebalance(replica, fault.lasting());
      case PURGE -> messages.purge(replica, fault.lasting());
      case REPLAY -> messages.replay(fault.size(), fault.seed());
      case BURST -> messages.burst(fault);
      case OVERTAKE -> messages.overtake(fault.size());
      case NONSENSE -> messages.nonsense();
      case SILENCE -> connections.silence(replica, fault.atBroker(), fault.size(), fault.lasting());
      case ALARM -> servers.alarm(fault.lasting());
      case POISON_ROW -> poison.rows(fault.lasting());
      case POISON_SAGA -> poison.sagas(fault.lasting());
      case SLOW_GATEWAY -> callers.slowGateway(fault.lasting());
      case FLOOD -> callers.flood(fault.lasting());
      case SLOW_WRITERS -> callers.slowWriters(ofOrderService(replica), fault.lasting());
      case READ_ONLY -> servers.readOnly(fault.lasting());
      case STANDBY_AWAY -> servers.standbyAway(fault.lasting());
      case DATABASE_CLOCK -> servers.stepClock(fault.lasting());
      case HANGING_CALLS -> callers.hangingCalls(fault.lasting());
      case LARGE_READS -> readers.read(ofOrderService(replica), fault.lasting());
      case VERSION ->
          processes.replace(
              replica, Objects.requireNonNull(otherVersion, "--other-version"), fault.lasting());
    };
  }

  /** Callers talk to the order service alone. */
  private Replica ofOrderService(Replica replica) {
    return cluster.replicas().get(cluster.replicas().indexOf(replica) % 2);
  }
}
