package io.onceflow.benchmarks.peers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Takes the benchmark's commands from standard input, one a line, and answers on standard output:
 * {@code run CLIENTS MILLIS REFUSED_ONE_IN} and {@code effects}.
 */
public final class PeerServer {

  /** Runs sagas. */
  public static final String RUN = "run";

  /** Tells what the simulated services did. */
  public static final String EFFECTS = "effects";

  private final SagaPeer peer;
  private final SimulatedServices services;

  private PeerServer(SagaPeer peer, SimulatedServices services) {
    this.peer = peer;
    this.services = services;
  }

  /** Serves a peer whose clients are in this process, until the benchmark closes the input. */
  public static void serve(SagaPeer peer, SimulatedServices services)
      throws IOException, InterruptedException {
    new PeerServer(peer, services).serve(System.in, System.out);
  }

  /** Serves a process that only has the steps; its sagas are started from elsewhere. */
  public static void serve(SimulatedServices services) throws IOException, InterruptedException {
    serve(
        order -> {
          throw new UnsupportedOperationException("This process starts no sagas");
        },
        services);
  }

  /** The command that runs sagas. */
  public static String run(int clients, Duration length, OrderMix mix) {
    return "%s %d %d %d".formatted(RUN, clients, length.toMillis(), mix.refusedOneIn());
  }

  static void serve(SagaPeer peer, SimulatedServices services, InputStream in, PrintStream out)
      throws IOException, InterruptedException {
    new PeerServer(peer, services).serve(in, out);
  }

  private void serve(InputStream in, PrintStream out) throws IOException, InterruptedException {
    BufferedReader commands = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    out.println(PeerLine.READY);
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      out.println(answer(line.strip().split(" ")));
      out.flush();
    }
  }

  private PeerLine answer(String[] command) throws InterruptedException {
    return switch (command[0]) {
      case RUN ->
          new ClientLoop(peer, new OrderMix(Integer.parseInt(command[3])))
              .run(Integer.parseInt(command[1]), Duration.ofMillis(Long.parseLong(command[2])))
              .line();
      case EFFECTS -> services.effects().line();
      default -> throw new IllegalArgumentException("There is no command " + command[0]);
    };
  }
}
