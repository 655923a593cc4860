package io.onceflow.launcher;

import io.onceflow.launcher.stack.Home;
import io.onceflow.launcher.stack.LaunchException;
import io.onceflow.launcher.stack.StackTokens;
import io.onceflow.launcher.token.KeyFiles;
import io.onceflow.launcher.token.Tokens;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints a token, and nothing else on standard output, so that a shell can take it. */
@Command(
    name = "token",
    description = "Prints a JWT for the stack that is up.",
    mixinStandardHelpOptions = true)
final class TokenCommand implements Callable<Integer> {

  private final Home home = Home.ofThisProcess();

  @Parameters(paramLabel = "NAME", description = "Who it is for: alice, bob, ...")
  private String user = "";

  @Option(
      names = "--operator",
      description = "With the role operator: sees and repairs the data of all.")
  private boolean operator;

  @Option(
      names = "--viewer",
      description = "With the role viewer: sees the data of all, without personal data.")
  private boolean viewer;

  @Option(
      names = "--ttl",
      paramLabel = "DURATION",
      defaultValue = "PT12H",
      description = "How long it is valid, ISO 8601, up to 24 h; ${DEFAULT-VALUE} by default.")
  private Duration validFor = Duration.ZERO;

  @Option(
      names = "--keys",
      paramLabel = "DIR",
      description = "The folder of the key pair; that of the stack that is up by default.")
  private @Nullable Path folder;

  /** For {@code demo}: a token for the stack that is running. */
  static String of(String user, boolean operator) throws IOException, InterruptedException {
    TokenCommand command = new TokenCommand();
    command.user = user;
    command.operator = operator;
    command.validFor = Duration.ofHours(1);
    return command.token();
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    System.out.println(token());
    return 0;
  }

  private String token() throws IOException, InterruptedException {
    if (!validFor.isPositive() || validFor.compareTo(Tokens.LONGEST) > 0) {
      throw new LaunchException(
          "--ttl %s: give more than zero and at most %s; the services take no other token"
              .formatted(validFor, Tokens.LONGEST));
    }
    return folder == null
        ? new StackTokens(home).token(user, roles(), validFor)
        : StackTokens.token(new KeyFiles(folder), user, roles(), validFor);
  }

  private Set<String> roles() {
    Set<String> roles = new TreeSet<>();
    if (operator) {
      roles.add(Tokens.OPERATOR);
    }
    if (viewer) {
      roles.add(Tokens.VIEWER);
    }
    return roles;
  }
}
