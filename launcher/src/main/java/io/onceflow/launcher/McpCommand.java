package io.onceflow.launcher;

import io.onceflow.launcher.mcp.McpTools;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Serves an assistant, which starts it: requests come on standard input. */
@Command(
    name = "mcp",
    description =
        "Offers the operators' commands to an assistant as tools of the Model Context Protocol, over"
            + " standard input and output. ONCEFLOW_URL names the service and ONCEFLOW_TOKEN is its"
            + " token; the local stack by default.",
    mixinStandardHelpOptions = true)
final class McpCommand implements Callable<Integer> {

  @Option(
      names = "--allow-writes",
      description = "Also what changes something; otherwise only what reads.")
  private boolean allowsWrites;

  @Override
  public Integer call() throws InterruptedException {
    new McpTools(() -> Main.commandLine(new Operators()), allowsWrites)
        .serve(System.in, System.out);
    return 0;
  }
}
