package io.onceflow.launcher.stack;

import io.onceflow.launcher.token.KeyFiles;
import io.onceflow.launcher.token.Tokens;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Makes tokens for the stack that is up, with whichever keys its services verify them. */
public final class StackTokens {

  private final Home home;

  /** For the stack of the home. */
  public StackTokens(Home home) {
    this.home = home;
  }

  /**
   * A token of the stack.
   *
   * @param roles of {@link Tokens#OPERATOR} and {@link Tokens#VIEWER}
   * @param validFor up to {@link Tokens#LONGEST}
   */
  public String token(String user, Set<String> roles, Duration validFor)
      throws IOException, InterruptedException {
    return runsInDocker()
        ? new DockerStack(home).token(arguments(user, roles, validFor))
        : token(new KeyFiles(home.keys()), user, roles, validFor);
  }

  /** A token signed with the key pair of a folder, which is made if it is not there. */
  public static String token(KeyFiles keys, String user, Set<String> roles, Duration validFor)
      throws IOException {
    keys.create();
    return Tokens.sign(keys.readPrivateKey(), user, roles, Instant.now(), validFor);
  }

  private boolean runsInDocker() throws IOException, InterruptedException {
    return new StackControl(home, new Progress(System.err))
        .runningAnyhow()
        .filter(state -> state.stack() == StackKind.docker)
        .isPresent();
  }

  private static List<String> arguments(String user, Set<String> roles, Duration validFor) {
    List<String> arguments = new ArrayList<>(List.of(user, "--ttl", validFor.toString()));
    roles.forEach(role -> arguments.add("--" + role));
    return arguments;
  }
}
