package io.onceflow.launcher.mcp;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.modelcontextprotocol.json.jackson2.JacksonMcpJsonMapper;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.stream.Stream;
import picocli.CommandLine;

/** Offers commands as tools, over a pair of streams. */
public final class McpTools {

  private static final String INSTRUCTIONS =
      """
      Sagas of Onceflow: what runs, what is stuck and why, and messages that could not be handled. \
      Look first (sagas_failures, sagas_list with status STUCK, sagas_show, parked_list, \
      versions_list). The argument "because" is the reason of a change, which the audit keeps.\
      """;

  private final Supplier<CommandLine> commands;
  private final boolean allowsWrites;

  /**
   * @param commands makes a command line; each call is run by one of its own
   * @param allowsWrites whether what changes something is a tool as well
   */
  public McpTools(Supplier<CommandLine> commands, boolean allowsWrites) {
    this.commands = commands;
    this.allowsWrites = allowsWrites;
  }

  /** Serves one client until the input ends. */
  public void serve(InputStream in, OutputStream out) throws InterruptedException {
    CountDownLatch ended = new CountDownLatch(1);
    StdioServerTransportProvider transport =
        new StdioServerTransportProvider(
            new JacksonMcpJsonMapper(new ObjectMapper()), new Ending(in, ended), out);
    McpSyncServer server =
        McpServer.sync(transport)
            .serverInfo("onceflow", version())
            .instructions(INSTRUCTIONS)
            .capabilities(ServerCapabilities.builder().tools(false).build())
            .tools(tools())
            .build();
    ended.await();
    server.closeGracefully();
  }

  private static String version() {
    String version = McpTools.class.getPackage().getImplementationVersion();
    return version == null ? "unreleased" : version;
  }

  private List<SyncToolSpecification> tools() {
    return leaves(commands.get())
        .filter(it -> CommandTool.isPossible(it.getCommandSpec()))
        .map(it -> new CommandTool(it.getCommandSpec(), commands))
        .filter(it -> allowsWrites || it.reads())
        .map(
            it ->
                SyncToolSpecification.builder()
                    .tool(it.tool())
                    .callHandler((exchange, request) -> it.call(request.arguments()))
                    .build())
        .toList();
  }

  private static Stream<CommandLine> leaves(CommandLine command) {
    return command.getSubcommands().isEmpty()
        ? Stream.of(command)
        : command.getSubcommands().values().stream().flatMap(McpTools::leaves);
  }

  /** Tells of its end, which the library keeps to itself. */
  private static final class Ending extends FilterInputStream {

    private final CountDownLatch ended;

    Ending(InputStream in, CountDownLatch ended) {
      super(in);
      this.ended = ended;
    }

    @Override
    public int read() throws IOException {
      return told(super.read());
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      return told(super.read(into, offset, length));
    }

    private int told(int read) {
      if (read < 0) {
        ended.countDown();
      }
      return read;
    }
  }
}
