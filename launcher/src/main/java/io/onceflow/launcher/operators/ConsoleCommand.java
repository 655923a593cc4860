package io.onceflow.launcher.operators;

import io.onceflow.launcher.stack.Browser;
import io.onceflow.launcher.stack.Home;
import io.onceflow.launcher.stack.StackTokens;
import io.onceflow.launcher.token.Tokens;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Opens the console of the local stack, signed in. */
@Command(
    name = "console",
    description = "Opens the console of the stack that is up, signed in as an operator.",
    mixinStandardHelpOptions = true)
public final class ConsoleCommand implements Callable<Integer> {

  /** A working day, so that no operator has to sign in again in the middle of something. */
  private static final Duration VALID_FOR = Duration.ofHours(12);

  private final Home home = Home.ofThisProcess();

  @Spec private @Nullable CommandSpec command;

  @Option(
      names = "--viewer",
      description = "Signed in as somebody who sees all but personal data, and may not act.")
  private boolean viewer;

  @Option(
      names = "--as",
      paramLabel = "NAME",
      description = "Who it is, for the audit; ${DEFAULT-VALUE} by default.",
      defaultValue = "${sys:user.name}")
  private String user = "";

  @Option(names = "--print", description = "Print the address and open nothing.")
  private boolean printOnly;

  @Override
  public Integer call() throws IOException, InterruptedException {
    URI service = Server.leading(Server.stack(home));
    String role = viewer ? Tokens.VIEWER : Tokens.OPERATOR;
    String token = new StackTokens(home).token(user, Set.of(role), VALID_FOR);
    URI console = signedIn(service, token);
    if (command != null) {
      command.commandLine().getOut().println(console);
      command.commandLine().getOut().flush();
    }
    if (!printOnly) {
      Browser.open(console);
    }
    return 0;
  }

  /** The token is in the fragment, which a browser keeps to itself, and the page removes it. */
  static URI signedIn(URI service, String token) {
    return service.resolve("/console/sign-in#token=" + token);
  }
}
