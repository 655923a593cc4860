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
    subcommands = ParkedGroupCommand.class,
    footerHeading = "%nExit codes%n",
    footer = {
      "0  done",
      "1  refused, not found or a service is unreachable; what was wrong is on standard error",
      "2  the command line is wrong"
    })
public final class ParkedCommand {

  static final String OF_SERVICE =
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
    Query query = paging.on(new Query());
    return list(server, service, query.after(""), ParkedCommand::print);
  }

  @Reads
  @Command(
      name = "groups",
      description = "Groups parked messages by their causes, the largest group first.")
  int groups(
      @Mixin Server server,
      @Option(names = "--service", description = OF_SERVICE + "All of the stack by default.")
          @Nullable String service)
      throws IOException, InterruptedException {
    return list(server, service, "/groups", ParkedCommand::printGroups);
  }

  @Reads
  @Command(name = "jobs", description = "Lists redrives and deletions of groups, newest first.")
  int jobs(
      @Mixin Server server,
      @Option(names = "--service", description = OF_SERVICE + "All of the stack by default.")
          @Nullable String service)
      throws IOException, InterruptedException {
    return list(server, service, "/jobs", ParkedCommand::printJobs);
  }

  @FunctionalInterface
  private interface Table {
    void print(Server server, ArrayNode rows);
  }

  private static int list(Server server, @Nullable String service, String below, Table table)
      throws IOException, InterruptedException {
    ArrayNode all = JsonNodeFactory.instance.arrayNode();
    boolean isComplete =
        collect(
            asked(server, service),
            all,
            each -> {
              String name = each.isEmpty() ? null : each;
              return ParkedPath.api(server, name).get(ParkedPath.of(server, name) + below);
            },
            server::remark);
    if (!server.printed(all)) {
      table.print(server, all);
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

  @Command(name = "job-pause", description = "Pauses the redrive or deletion of a group.")
  int jobPause(
      @Mixin Server server,
      @Parameters(paramLabel = "ID") UUID id,
      @Option(names = "--service", description = OF_SERVICE) @Nullable String service)
      throws IOException, InterruptedException {
    return steer(server, id, service, "pause");
  }

  @Command(name = "job-resume", description = "Resumes the redrive or deletion of a group.")
  int jobResume(
      @Mixin Server server,
      @Parameters(paramLabel = "ID") UUID id,
      @Option(names = "--service", description = OF_SERVICE) @Nullable String service)
      throws IOException, InterruptedException {
    return steer(server, id, service, "resume");
  }

  @Command(
      name = "job-stop",
      description = "Ends the redrive or deletion of a group; what it has done stays done.")
  int jobStop(
      @Mixin Server server,
      @Parameters(paramLabel = "ID") UUID id,
      @Option(names = "--service", description = OF_SERVICE) @Nullable String service)
      throws IOException, InterruptedException {
    return steer(server, id, service, "stop");
  }

  private static int steer(Server server, UUID id, @Nullable String service, String how)
      throws IOException, InterruptedException {
    JsonNode job =
        ParkedPath.api(server, service)
            .post("%s/jobs/%s/%s".formatted(ParkedPath.of(server, service), id, how), null);
    if (!server.printed(job)) {
      server.say("%s: %s now".formatted(id, Text.of(job, "status")));
    }
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
    ShellTable.of(
            messages,
            "SERVICE=service",
            "MESSAGE=id",
            "QUEUE=queue",
            "TYPE=type",
            "SAGA=correlationId",
            "REASON=reason",
            "TRIES=attempts",
            "PARKED=parkedAt",
            "DETAIL=detail")
        .print(server.out());
  }

  private static void printGroups(Server server, ArrayNode groups) {
    ShellTable.of(
            groups,
            "SERVICE=service",
            "MESSAGES=count",
            "TYPE=type",
            "REASON=reason",
            "CAUSE=cause",
            "LAST=lastAt",
            "FINGERPRINT=fingerprint")
        .print(server.out());
  }

  private static void printJobs(Server server, ArrayNode jobs) {
    ShellTable.of(
            jobs,
            "SERVICE=service",
            "JOB=id",
            "ACTION=action",
            "TYPE=type",
            "STATUS=status",
            "MESSAGES=total",
            "HANDLED=handled",
            "PARKED=failed",
            "BECAUSE=reason")
        .print(server.out());
  }
}
