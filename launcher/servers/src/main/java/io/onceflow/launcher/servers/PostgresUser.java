package io.onceflow.launcher.servers;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The user as which PostgreSQL's programs run. They refuse to run as root, the user of many
 * containers; then they run as another user. Nothing else on the machine changes.
 *
 * @param prefix what comes before the program's name on the command line
 * @param owner who must own the data; empty if the user that creates them may
 */
record PostgresUser(List<String> prefix, Optional<String> owner) {

  /** The current user, who is not root. */
  private static final PostgresUser SELF = new PostgresUser(List.of(), Optional.empty());

  /** Root seen through a user namespace, where it has no name. */
  private static final PostgresUser UNSHARED =
      new PostgresUser(List.of("unshare", "-U"), Optional.empty());

  /**
   * The user {@code nobody}, with the capability to enter folders that only root may enter, such as
   * root's home. Without the securebit the kernel would ignore this capability when initdb checks
   * access to its files.
   */
  private static final PostgresUser NOBODY =
      new PostgresUser(
          List.of(
              "setpriv",
              "--reuid=nobody",
              "--clear-groups",
              "--inh-caps=+dac_override",
              "--ambient-caps=+dac_override",
              "--securebits=+no_setuid_fixup"),
          Optional.of("nobody"));

  /**
   * Finds out which user is possible.
   *
   * @throws IOException if only root is possible
   */
  static PostgresUser find() throws IOException {
    if (!System.getProperty("user.name").equals("root")) {
      return SELF;
    }
    for (PostgresUser user : List.of(UNSHARED, NOBODY)) {
      if (user.works()) {
        return user;
      }
    }
    throw new IOException(
        "PostgreSQL refuses to run as root, and neither unshare nor setpriv can help that here."
            + " Run as another user, or use servers of your own: --stack external");
  }

  /** A name is asked for as well, since initdb gives up where a user has none. */
  private boolean works() {
    try {
      Process process =
          command(List.of("sh", "-c", "test \"$(id -u)\" != 0 && id -un"))
              .redirectOutput(Redirect.DISCARD)
              .redirectError(Redirect.DISCARD)
              .start();
      return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** A command line that runs as this user. */
  ProcessBuilder command(List<String> command) {
    List<String> all = new ArrayList<>(prefix);
    all.addAll(command);
    return new ProcessBuilder(all);
  }

  /** Makes the folder this user's own, with all that is in it. */
  void own(Path folder) throws IOException {
    if (owner.isEmpty()) {
      return;
    }
    Process process =
        new ProcessBuilder("chown", "-R", owner.get(), folder.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes());
    try {
      if (process.waitFor() != 0) {
        throw new IOException(said);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted", e);
    }
  }
}
