package io.onceflow.benchmarks.compare;

import io.onceflow.benchmarks.cost.CostMeter;
import io.onceflow.benchmarks.peers.Effects;
import io.onceflow.benchmarks.peers.OrderMix;
import io.onceflow.benchmarks.peers.PeerRun;
import io.onceflow.benchmarks.saga.load.Answers;
import io.onceflow.benchmarks.saga.load.ClosedLoop;
import io.onceflow.benchmarks.saga.load.RestateClients;
import io.onceflow.launcher.servers.FreePorts;
import io.onceflow.launcher.stack.Home;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Restate's server, and a JVM with the saga and its steps; the clients are in this JVM. */
final class RestatePeer implements Peer {

  private static final String SAGA = "/PlaceOrder/run";
  private static final int MEDIAN = 50;
  private static final int ONE_IN_HUNDRED = 99;

  private final RestateServer server;
  private final PeerProcess services;
  private final List<String> faults = new ArrayList<>();

  private RestatePeer(RestateServer server, PeerProcess services) {
    this.server = server;
    this.services = services;
  }

  static RestatePeer start(Home home, Path manifest, PeerBuild.Built built)
      throws IOException, InterruptedException {
    RestateServer server = RestateServer.start(home, manifest);
    try {
      int port = FreePorts.next();
      PeerProcess services =
          PeerProcess.start(
              built, home.log("bench-restate"), Map.of("PORT", Integer.toString(port)));
      try {
        server.register(URI.create("http://127.0.0.1:" + port));
        return new RestatePeer(server, services);
      } catch (IOException | InterruptedException e) {
        services.close();
        throw e;
      }
    } catch (IOException | InterruptedException e) {
      server.close();
      throw e;
    }
  }

  @Override
  public PeerRun run(int clients, Duration length, OrderMix mix)
      throws IOException, InterruptedException {
    Effects before = services.effects();
    long startNanos = System.nanoTime();
    try (RestateClients restate = new RestateClients(server.ingress(), SAGA, clients, mix)) {
      Answers answers = ClosedLoop.ofOrders(restate, clients).run(length);
      PeerRun run = run(answers, restate.compensated(), System.nanoTime() - startNanos);
      if (answers.wrong() > 0) {
        faults.add("wrong answers, such as " + answers.examples());
      }
      faults.addAll(services.effects().minus(before).faults(run));
      return run;
    }
  }

  private static PeerRun run(Answers answers, long compensated, long nanos) {
    return new PeerRun(
        answers.right(),
        compensated,
        answers.wrong(),
        nanos / 1_000,
        answers.times().getValueAtPercentile(MEDIAN),
        answers.times().getValueAtPercentile(ONE_IN_HUNDRED));
  }

  @Override
  public CostMeter meter() {
    return CostMeter.ofProcesses(
        Map.of(
            "restate-server", List.of(server.pid()),
            "JVM with saga and steps", List.of(services.pid())));
  }

  @Override
  public List<String> faults() {
    return List.copyOf(faults);
  }

  @Override
  public void close() {
    try (server) {
      services.close();
    }
  }
}
