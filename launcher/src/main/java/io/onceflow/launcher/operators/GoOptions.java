package io.onceflow.launcher.operators;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Of commands that preview what they would do until they are told to go. */
final class GoOptions {

  @Option(names = "--because", paramLabel = "TEXT", description = "For the audit; needed by --go.")
  private @Nullable String because;

  @Option(names = "--go", description = "Carry it out.")
  private boolean go;

  /** Whether it is carried out, which needs a reason. */
  boolean isSaid(Server server) {
    if (go && (because == null || because.isBlank())) {
      throw server.wrongCommandLine("--go needs --because TEXT: the audit log keeps why");
    }
    return go;
  }

  /** Adds the reason, and whether it is a dry run, to the body of a request. */
  Query in(Query request) {
    return request.with("reason", because).with("dryRun", !go);
  }
}
