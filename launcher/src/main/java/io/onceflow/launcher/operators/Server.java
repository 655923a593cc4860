package io.onceflow.launcher.operators;

import com.fasterxml.jackson.databind.JsonNode;
import io.onceflow.launcher.stack.Home;
import io.onceflow.launcher.stack.LaunchException;
import io.onceflow.launcher.stack.Progress;
import io.onceflow.launcher.stack.StackControl;
import io.onceflow.launcher.stack.StackState;
import io.onceflow.launcher.stack.StackTokens;
import io.onceflow.launcher.token.Tokens;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options of every operator's command: whose API, as whom, and how its answers are printed. */
final class Server {

  /** The sample that leads sagas; in a stack of other services it is the first of their file. */
  private static final String SAMPLE = "order-service";

  private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "[::1]");
  private static final Duration TOKEN_IS_VALID = Duration.ofHours(1);

  private final Home home = Home.ofThisProcess();

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec command;

  @Option(
      names = "--url",
      paramLabel = "URL",
      defaultValue = "${env:ONCEFLOW_URL}",
      description =
          "The service to ask, such as https://orders.example; ONCEFLOW_URL, else that of the local"
              + " stack, by default. Its token is taken from ONCEFLOW_TOKEN.")
  private @Nullable URI url;

  @Option(
      names = "--as",
      paramLabel = "NAME",
      description = "Who acts on the local stack, for the audit; ${DEFAULT-VALUE} by default.",
      defaultValue = "${sys:user.name}")
  private String user = "";

  @Option(names = "--json", description = "Print what the API answers, for other programs.")
  private boolean json;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  private boolean help;

  /** The service that leads the sagas. */
  OperatorApi orchestrator() throws IOException, InterruptedException {
    return orchestrator(Set.of());
  }

  /**
   * The same, for one who has more roles than the operator's.
   *
   * @param roles what the local stack's token has besides; a given token has those of its issuer
   */
  OperatorApi orchestrator(Set<String> roles) throws IOException, InterruptedException {
    return api(url == null ? leading(stack()) : url, roles);
  }

  /** A service of the local stack. */
  OperatorApi ofStack(String service) throws IOException, InterruptedException {
    StackState stack = stack();
    if (!stack.services().contains(service)) {
      throw new LaunchException(
          "%s is no service of the stack that is up: %s"
              .formatted(service, String.join(", ", stack.services())));
    }
    return api(URI.create(stack.url(service)), Set.of());
  }

  /** Whether {@code --url} names a service; otherwise the local stack is meant. */
  boolean isElsewhere() {
    return url != null;
  }

  /** The services of the local stack. */
  List<String> services() throws IOException, InterruptedException {
    return stack().services();
  }

  /**
   * Prints an answer as JSON if that is wanted.
   *
   * @return whether it was
   */
  boolean printed(JsonNode answer) {
    if (json) {
      out().println(answer.toPrettyString());
      out().flush();
    }
    return json;
  }

  void say(String line) {
    out().println(line);
    out().flush();
  }

  /** Says something beside the answer, so that it does not get into a pipe. */
  void remark(String line) {
    PrintWriter remarks = command().commandLine().getErr();
    remarks.println(line);
    remarks.flush();
  }

  /** To be thrown where the command line asks for what it has to say more about. */
  ParameterException wrongCommandLine(String message) {
    return new ParameterException(command().commandLine(), message);
  }

  PrintWriter out() {
    return command().commandLine().getOut();
  }

  private CommandSpec command() {
    if (command == null) {
      throw new IllegalStateException("Mixed into no command");
    }
    return command;
  }

  private OperatorApi api(URI service, Set<String> roles) throws IOException, InterruptedException {
    return new OperatorApi(service, token(service, roles));
  }

  private String token(URI service, Set<String> roles) throws IOException, InterruptedException {
    String given = System.getenv("ONCEFLOW_TOKEN");
    if (given != null && !given.isBlank()) {
      return given.strip();
    }
    if (!THIS_MACHINE.contains(service.getHost())) {
      throw new LaunchException(
          "%s wants a token of its own issuer: export ONCEFLOW_TOKEN=...".formatted(service));
    }
    Set<String> all = new TreeSet<>(roles);
    all.add(Tokens.OPERATOR);
    return new StackTokens(home).token(user, all, TOKEN_IS_VALID);
  }

  private StackState stack() throws IOException, InterruptedException {
    return stack(home);
  }

  /** The stack that is up on this machine. */
  static StackState stack(Home home) throws IOException, InterruptedException {
    Optional<StackState> state =
        new StackControl(home, new Progress(System.err)).runningAnyhow().filter(StackState::ready);
    return state.orElseThrow(
        () ->
            new LaunchException(
                "Nothing is up. Start it (./onceflow up), or name a service by --url URL"));
  }

  /** The address of the service that leads the sagas. */
  static URI leading(StackState stack) {
    String service = stack.services().contains(SAMPLE) ? SAMPLE : stack.services().getFirst();
    return URI.create(stack.url(service));
  }
}
