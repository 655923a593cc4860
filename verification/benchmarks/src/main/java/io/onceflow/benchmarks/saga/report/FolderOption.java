package io.onceflow.benchmarks.saga.report;

import io.onceflow.launcher.stack.Home;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option of a benchmark that says where its report is kept. */
public final class FolderOption {

  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      description = "Gets the files of the report; .onceflow/bench by default.")
  private @Nullable Path out;

  public Path folder(Home home) {
    return out == null ? home.state().resolve("bench") : out.toAbsolutePath();
  }
}
