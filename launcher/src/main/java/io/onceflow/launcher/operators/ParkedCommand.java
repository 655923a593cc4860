package io.onceflow.launcher.operators;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.onceflow.launcher.stack.LaunchException;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Messages that could not be handled. */
@Command(
    name = "parked",
    description = "Lists messages that could not be handled, redrives or deletes them.",
    synopsisSubcommandLabel = "COMMAND",
    footerHeading = "%nExit codes%n",
    footer = {
      "0  done",
      "1  refused, not found or a service is unreachable; what was wrong is on standard error",
      "2  the command line is wrong"
    })
public final class ParkedCommand {

  private static final String OF_SERVICE =
      "A service of the local stack; with --url one that the service there knows. ";

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  private boolean help;

  @Reads
  @Command(name = "list", description = "Lists parked messages, the newest first.")
  int list(
      @Mixin Server server,
      @Mixin Paging paging,
      @Option(names = "--service", description = OF_SERVICE + "All of the stack by default.")
          @Nullable String service)
      throws IOException, InterruptedException {
    ArrayNode all = JsonNodeFactory.instance.arrayNode();
    boolean isComplete =
        collect(
            asked(server, service),
            all,
            each -> {
              String name = each.isEmpty() ? null : each;
              String path = paging.on(new Query()).after(ParkedPath.of(server, name));
              return ParkedPath.api(server, name).get(path);
            },
            server::remark);
    if (!server.printed(all)) {
      print(server, all);
    }
    return isComplete ? 0 : 1;
  }

  /** Reads what is parked at a service. */
  @FunctionalInterface
  interface Reading {
    JsonNode of(String service) throws IOException, InterruptedException;
  }

  /**
   * Adds the messages of each service, also where another does not answer, which is remarked.
   *
   * @return whether all have answered
   */
  static boolean collect(
      List<String> services, ArrayNode all, Reading reading, Consumer<String> remark)
      throws IOException, InterruptedException {
    boolean isComplete = true;
    for (String service : services) {
      try {
        for (JsonNode message : reading.of(service)) {
          ObjectNode row = JsonNodeFactory.instance.objectNode();
          row.put("service", service);
          all.add(row.setAll((ObjectNode) message));
        }
      } catch (LaunchException e) {
        isComplete = false;
        remark.accept(
            service.isEmpty()
                ? e.getMessage()
                : "%s is not in this list: %s".formatted(service, e.getMessage()));
      }
    }
    return isComplete;
  }

  @Reads
  @Command(name = "show", description = "Shows a message with its headers and its body.")
  int show(
      @Mixin Server server,
      @Parameters(paramLabel = "ID") UUID id,
      @Option(names = "--service", description = OF_SERVICE) @Nullable String service)
      throws IOException, InterruptedException {
    JsonNode message =
        ParkedPath.api(server, service).get(ParkedPath.of(server, service) + "/" + id);
    if (!server.printed(message)) {
      message
          .properties()
          .forEach(
              it -> {
                String value = Text.of(message, it.getKey());
                if (!value.isEmpty()) {
                  server.say("%-14s %s".formatted(it.getKey(), value));
                }
              });
    }
    return 0;
  }

  @Command(name = "redrive", description = "Lets the service handle a message again.")
  int redrive(
      @Mixin Server server,
      @Parameters(paramLabel = "ID") UUID id,
      @Option(names = "--service", description = OF_SERVICE) @Nullable String service)
      throws IOException, InterruptedException {
    JsonNode answer =
        ParkedPath.api(server, service)
            .post(ParkedPath.of(server, service) + "/" + id + "/redrive", null);
    if (!server.printed(answer)) {
      server.say(
          "%s: %s; it is handled and not parked any more"
              .formatted(id, Text.of(answer, "outcome")));
    }
    return 0;
  }

  @Command(name = "delete", description = "Deletes a message permanently.")
  int delete(
      @Mixin Server server,
      @Parameters(paramLabel = "ID") UUID id,
      @Option(names = "--service", description = OF_SERVICE) @Nullable String service,
      @Option(names = "--go", description = "Do it; there is no way back.") boolean go)
      throws IOException, InterruptedException {
    if (!go) {
      throw server.wrongCommandLine(
          "Deleting cannot be undone: --go does it. Nothing has been deleted");
    }
    ParkedPath.api(server, service).delete(ParkedPath.of(server, service) + "/" + id);
    server.say(id + ": deleted");
    return 0;
  }

  /** The services whose messages are listed; an empty name for the one at {@code --url} itself. */
  private static List<String> asked(Server server, @Nullable String service)
      throws IOException, InterruptedException {
    if (service != null) {
      return List.of(service);
    }
    return server.isElsewhere() ? List.of("") : server.services();
  }

  private static void print(Server server, ArrayNode messages) {
    if (messages.isEmpty()) {
      server.say("None");
      return;
    }
    ShellTable table =
        new ShellTable(
            "SERVICE", "MESSAGE", "QUEUE", "TYPE", "SAGA", "REASON", "TRIES", "PARKED", "DETAIL");
    for (JsonNode message : messages) {
      table.row(
          Text.of(message, "service"),
          Text.of(message, "id"),
          Text.of(message, "queue"),
          Text.of(message, "type"),
          Text.of(message, "correlationId"),
          Text.of(message, "reason"),
          Text.of(message, "attempts"),
          Text.of(message, "parkedAt"),
          Text.of(message, "detail"));
    }
    table.print(server.out());
  }
}
