package io.onceflow.launcher;

import io.onceflow.launcher.demo.Demo;
import io.onceflow.launcher.demo.Endpoints;
import io.onceflow.launcher.stack.Home;
import io.onceflow.launcher.stack.LaunchException;
import io.onceflow.launcher.stack.LocalStack;
import io.onceflow.launcher.stack.Progress;
import io.onceflow.launcher.stack.StackControl;
import io.onceflow.launcher.stack.StackState;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Tells the four stories of the three sample services. */
@Command(
    name = "demo",
    sortOptions = false,
    description = "Starts everything if it is not up, then runs four stories and checks them.",
    mixinStandardHelpOptions = true)
final class DemoCommand implements Callable<Integer> {

  private final Home home = Home.ofThisProcess();
  private final Progress progress = new Progress(System.out);

  @Mixin private StackOptions options = new StackOptions();

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "An order-service that runs already, such as http://localhost:8080.")
  private @Nullable URI orders;

  @Option(
      names = "--payment-url",
      paramLabel = "URL",
      description = "Beside --url; ${DEFAULT-VALUE}.",
      defaultValue = "http://localhost:8081")
  private @Nullable URI payments;

  @Option(
      names = "--shipping-url",
      paramLabel = "URL",
      description = "Beside --url; ${DEFAULT-VALUE}.",
      defaultValue = "http://localhost:8082")
  private @Nullable URI shipments;

  @Override
  public Integer call() throws IOException, InterruptedException {
    boolean allAsTold =
        new Demo(endpoints(), TokenCommand.of("ada", false), TokenCommand.of("olga", true))
            .tell(System.out);
    if (orders == null) {
      progress.say("The stack stays up. Run it again: ./onceflow demo. Stop it: ./onceflow down");
    }
    return allAsTold ? 0 : 1;
  }

  private Endpoints endpoints() throws IOException, InterruptedException {
    if (orders != null && payments != null && shipments != null) {
      return new Endpoints(orders, payments, shipments);
    }
    StackControl control = new StackControl(home, progress);
    Optional<StackState> running =
        options.stack().isPresent() ? control.running() : control.runningAnyhow();
    boolean asWanted =
        running
            .filter(StackState::ready)
            .filter(it -> options.stack().orElse(it.stack()) == it.stack())
            .isPresent();
    if (!asWanted) {
      UpCommand.detached(options);
    }
    running.filter(it -> asWanted).ifPresent(options::requireDoublesOf);
    StackState state =
        StackState.read(home.stackFile())
            .orElseThrow(() -> new LaunchException("The stack ended before the first story"));
    return new Endpoints(
        sample(state, "order-service"),
        sample(state, "payment-service"),
        sample(state, "shipping-service"),
        Optional.ofNullable(state.urls().get(LocalStack.STRIPE_DOUBLE)).map(URI::create),
        !state.urls().containsKey(LocalStack.EASYPOST_DOUBLE));
  }

  private static URI sample(StackState state, String service) {
    if (!state.urls().containsKey(service)) {
      throw new LaunchException(
          "The stories are those of the sample services, and %s is not up. ./onceflow down, then try again"
              .formatted(service));
    }
    return URI.create(state.url(service));
  }
}
