package io.onceflow.systemtests.chaos.run;

import io.onceflow.systemtests.chaos.plan.Fault;
import io.onceflow.systemtests.chaos.stack.Cluster;
import io.onceflow.systemtests.chaos.stack.Replica;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Carries out a plan. Faults may overlap; each mends what it broke. */
final class Nemesis {

  private final Cluster cluster;
  private final Timeline timeline;
  private final ProcessFaults processes;
  private final ServerFaults servers;
  private final ConnectionFaults connections;
  private final MessageFaults messages;
  private final List<Thread> underWay = new ArrayList<>();

  Nemesis(
      Cluster cluster,
      Timeline timeline,
      Recoveries recoveries,
      MessageFaults messages,
      ProcessFaults processes) {
    this.cluster = cluster;
    this.timeline = timeline;
    this.processes = processes;
    this.servers = new ServerFaults(cluster, recoveries, messages);
    this.connections = new ConnectionFaults(recoveries);
    this.messages = messages;
  }

  /** Does everything in its time, and returns when the last of it is mended. */
  void run(List<Fault> plan) throws InterruptedException {
    Instant begin = timeline.beginning();
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

  /** Starts whatever does not run, and lets everything through. */
  void heal() throws IOException, InterruptedException {
    cluster.backends().startDatabase();
    cluster.backends().startBroker();
    for (Replica replica : cluster.replicas()) {
      connections.mend(replica);
      processes.mend(replica);
    }
  }

  private void carryOut(Fault fault) {
    Instant from = Instant.now();
    String detail;
    try {
      detail = act(fault);
    } catch (IOException e) {
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
      case PURGE -> messages.purge(replica, fault.lasting());
      case REPLAY -> messages.replay(fault.size(), fault.seed());
      case BURST -> messages.burst(fault);
      case OVERTAKE -> messages.overtake(fault.size());
      case NONSENSE -> messages.nonsense();
    };
  }
}
