package io.onceflow.launcher;

import io.onceflow.launcher.demo.Rehearsal;
import io.onceflow.launcher.stack.Home;
import io.onceflow.launcher.stack.LaunchException;
import io.onceflow.launcher.stack.StackState;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Loads the stack that is up, for the training run of the container images. Not in the help: to
 * measure, there is {@code ./onceflow bench}.
 */
@Command(
    name = "rehearse",
    hidden = true,
    description = "Places orders of all kinds for a while at the stack that is up.",
    mixinStandardHelpOptions = true)
final class RehearseCommand implements Callable<Integer> {

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "For how long; ${DEFAULT-VALUE} by default.",
      defaultValue = "60")
  private long seconds;

  @Option(
      names = "--clients",
      paramLabel = "N",
      description = "How many place orders at the same time; ${DEFAULT-VALUE} by default.",
      defaultValue = "16")
  private int clients;

  @Override
  public Integer call() throws IOException, InterruptedException {
    StackState state =
        StackState.read(Home.ofThisProcess().stackFile())
            .filter(StackState::ready)
            .orElseThrow(() -> new LaunchException("Nothing is up: ./onceflow up --detach"));
    URI orders = URI.create(state.url("order-service"));
    long placed =
        new Rehearsal(orders, TokenCommand.of("ada", false))
            .run(clients, Duration.ofSeconds(seconds));
    System.out.printf("Placed %s orders in %s s%n", placed, seconds);
    return placed > 0 ? 0 : 1;
  }
}
