package io.onceflow.launcher.operators;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.launcher.stack.LaunchException;
import java.io.IOException;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Looks at sagas, and acts on one. */
@Command(
    name = "sagas",
    description = "Lists and repairs sagas, by the API of their orchestrator.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {RepairCommand.class, FailuresCommand.class, MinutesCommand.class},
    footerHeading = "%nExit codes%n",
    footer = {
      "0  done",
      "1  refused, not found or not reachable; what was wrong is on standard error",
      "2  the command line is wrong",
      "3  a repair has ended and not all of its sagas are repaired"
    })
public final class SagasCommand {

  private static final String PATH = "/sagas";

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  private boolean help;

  @Reads
  @Command(name = "list", description = "Lists sagas, the newest first.")
  int list(
      @Mixin Server server,
      @Mixin SagaFilters filters,
      @Mixin Paging paging,
      @Option(
              names = "--subject",
              paramLabel = "ID",
              description = "What they are about, such as an order, by its id.")
          @Nullable String subject,
      @Option(names = "--order", defaultValue = "newest", description = "newest or oldest first.")
          String order)
      throws IOException, InterruptedException {
    Query query = paging.on(filters.query().with("subject", subject).with("order", order));
    JsonNode page = server.orchestrator().get(query.after(PATH));
    if (!server.printed(page)) {
      SagaText.print(page.path("sagas"), server.out());
      Paging.remarkNext(server, page);
    }
    return 0;
  }

  @Reads
  @Command(name = "count", description = "Counts sagas, up to 10,000.")
  int count(@Mixin Server server, @Mixin SagaFilters filters)
      throws IOException, InterruptedException {
    JsonNode count = server.orchestrator().get(filters.query().after(PATH + "/count"));
    if (!server.printed(count)) {
      String more = count.path("exact").asBoolean(true) ? "" : " or more";
      server.say(count.path("count").asText() + more);
    }
    return 0;
  }

  @Reads
  @Command(name = "show", description = "Shows one saga: its steps and its history.")
  int show(
      @Mixin Server server,
      @Parameters(
              paramLabel = "ID",
              description =
                  "Of the saga, not of its subject such as an order: list --subject finds it by that.")
          UUID id)
      throws IOException, InterruptedException {
    JsonNode saga = server.orchestrator().get(PATH + "/" + id);
    if (!server.printed(saga)) {
      SagaText.printOne(saga, server.out());
    }
    return 0;
  }

  @Command(
      name = "retry",
      description = "Sends now what a saga waits for, under the same key as before.")
  int retry(
      @Mixin Server server,
      @Parameters(paramLabel = "ID") UUID id,
      @Option(
              names = "--because",
              paramLabel = "TEXT",
              required = true,
              description = "For the audit; needed.")
          String because)
      throws IOException, InterruptedException {
    return act(server, id, "retry", because);
  }

  @Command(name = "compensate", description = "Compensates a saga from its current step.")
  int compensate(
      @Mixin Server server,
      @Parameters(paramLabel = "ID") UUID id,
      @Option(
              names = "--because",
              paramLabel = "TEXT",
              required = true,
              description = "For the audit; needed.")
          String because)
      throws IOException, InterruptedException {
    return act(server, id, "compensate", because);
  }

  @Command(name = "cancel", description = "Cancels a saga, unless it is too late.")
  int cancel(
      @Mixin Server server,
      @Parameters(paramLabel = "ID") UUID id,
      @Option(
              names = "--because",
              paramLabel = "TEXT",
              required = true,
              description = "For the audit; needed.")
          String because)
      throws IOException, InterruptedException {
    return act(server, id, "cancel", because);
  }

  @Command(
      name = "hold",
      description = "Holds a saga: nothing is sent until it is resumed; replies are kept.")
  int hold(
      @Mixin Server server,
      @Parameters(paramLabel = "ID") UUID id,
      @Option(
              names = "--until",
              paramLabel = "TIME",
              description = "When it is resumed by itself, ISO 8601 in UTC: 2026-01-31T10:00:00Z.")
          @Nullable String until,
      @Option(names = "--because", paramLabel = "TEXT", description = "For the audit.")
          @Nullable String because)
      throws IOException, InterruptedException {
    return act(server, id, "hold", new Query().with("reason", because).with("until", until));
  }

  @Command(name = "resume", description = "Resumes a saga that is on hold.")
  int resume(
      @Mixin Server server,
      @Parameters(paramLabel = "ID") UUID id,
      @Option(names = "--because", paramLabel = "TEXT", description = "For the audit.")
          @Nullable String because)
      throws IOException, InterruptedException {
    return act(server, id, "resume", because);
  }

  @Command(
      name = "skip",
      description = "Skips a compensation that a saga waits for: it continues as if it were done.")
  int skip(
      @Mixin Server server,
      @Parameters(paramLabel = "ID") UUID id,
      @Parameters(paramLabel = "STEP", description = "Whose compensation, such as process-payment.")
          String step,
      @Option(
              names = "--because",
              paramLabel = "TEXT",
              required = true,
              description = "For the audit; needed.")
          String because)
      throws IOException, InterruptedException {
    String action = "steps/%s/skip-compensation".formatted(Query.encoded(step));
    return act(server, id, action, because);
  }

  @Command(name = "signal", description = "Reports an event that a saga waits for.")
  int signal(
      @Mixin Server server,
      @Parameters(paramLabel = "ID") UUID id,
      @Parameters(paramLabel = "EVENT", description = "As the definition names it.") String event,
      @Option(names = "--payload", paramLabel = "JSON", description = "What the event carries.")
          @Nullable String payload,
      @Option(
              names = "--key",
              paramLabel = "KEY",
              description = "By which the event takes effect once; a new one by default.")
          @Nullable String key)
      throws IOException, InterruptedException {
    JsonNode answer =
        server
            .orchestrator()
            .post(
                "%s/%s/signals/%s".formatted(PATH, id, Query.encoded(event)),
                payload == null ? null : json(payload),
                key == null ? UUID.randomUUID().toString() : key);
    if (!server.printed(answer)) {
      server.say(
          "%s: the event %s is %s; it is %s now"
              .formatted(
                  id, event, Text.of(answer, "outcome"), Text.of(answer.path("saga"), "status")));
    }
    return 0;
  }

  private static JsonNode json(String payload) {
    try {
      return new ObjectMapper().readTree(payload);
    } catch (JsonProcessingException e) {
      throw new LaunchException("--payload is no JSON: " + e.getOriginalMessage());
    }
  }

  @Command(name = "approve", description = "Approves what a saga waits for.")
  int approve(
      @Mixin Server server,
      @Mixin ApprovalOf approval,
      @Option(names = "--reason", paramLabel = "TEXT", description = "For the audit.")
          @Nullable String reason)
      throws IOException, InterruptedException {
    return approval.answer(server, true, reason);
  }

  @Command(name = "refuse", description = "Refuses what a saga waits for the approval of.")
  int refuse(
      @Mixin Server server,
      @Mixin ApprovalOf approval,
      @Option(
              names = "--reason",
              paramLabel = "TEXT",
              required = true,
              description = "For the saga's history and the audit.")
          String reason)
      throws IOException, InterruptedException {
    return approval.answer(server, false, reason);
  }

  @Reads
  @Command(name = "repairs", description = "Lists repairs, the newest first.")
  int repairs(@Mixin Server server, @Mixin Paging paging) throws IOException, InterruptedException {
    JsonNode page = server.orchestrator().get(paging.on(new Query()).after(RepairText.PATH));
    if (!server.printed(page)) {
      RepairText.print(page.path("repairs"), server.out());
      Paging.remarkNext(server, page);
    }
    return 0;
  }

  @Reads
  @Command(name = "repair-status", description = "Shows a repair and the sagas that it failed on.")
  int repairStatus(
      @Mixin Server server,
      @Parameters(paramLabel = "ID") UUID id,
      @Option(names = "--follow", description = "Tell how it goes until it has ended.")
          boolean follow,
      @Option(names = "--outcome", defaultValue = "failed", description = "Of which sagas to list.")
          String outcome)
      throws IOException, InterruptedException {
    OperatorApi api = server.orchestrator();
    String path = RepairText.path(id.toString());
    JsonNode now = api.get(path);
    JsonNode repair = follow ? new RepairProgress(api, server).untilItRests(now) : now;
    if (!server.printed(repair)) {
      RepairText.printOne(repair, server.out());
      Query failed = new Query().with("outcome", outcome).with("limit", 20);
      RepairText.printSagas(api.get(failed.after(path + "/sagas")).path("sagas"), server.out());
    }
    return RepairText.exitCode(repair);
  }

  @Command(name = "repair-pause", description = "Pauses a repair.")
  int repairPause(@Mixin Server server, @Parameters(paramLabel = "ID") UUID id)
      throws IOException, InterruptedException {
    return steer(server, id, "pause");
  }

  @Command(name = "repair-resume", description = "Resumes a repair.")
  int repairResume(@Mixin Server server, @Parameters(paramLabel = "ID") UUID id)
      throws IOException, InterruptedException {
    return steer(server, id, "resume");
  }

  @Command(name = "repair-stop", description = "Ends a repair; what it has done stays done.")
  int repairStop(@Mixin Server server, @Parameters(paramLabel = "ID") UUID id)
      throws IOException, InterruptedException {
    return steer(server, id, "stop");
  }

  @Command(name = "repair-approve", description = "Approves the repair of another operator.")
  int repairApprove(@Mixin Server server, @Parameters(paramLabel = "ID") UUID id)
      throws IOException, InterruptedException {
    return steer(server, id, "approve");
  }

  private static int steer(Server server, UUID id, String how)
      throws IOException, InterruptedException {
    JsonNode repair =
        server.orchestrator().post(RepairText.path(id.toString()) + "/" + how, Map.of());
    if (!server.printed(repair)) {
      RepairText.printOne(repair, server.out());
    }
    return 0;
  }

  private static int act(Server server, UUID id, String action, String because)
      throws IOException, InterruptedException {
    return act(server, id, action, new Query().with("reason", because));
  }

  private static int act(Server server, UUID id, String action, Query said)
      throws IOException, InterruptedException {
    JsonNode saga =
        server.orchestrator().post("%s/%s/%s".formatted(PATH, id, action), said.values());
    if (!server.printed(saga)) {
      server.say("%s: requested %s; it is %s now".formatted(id, action, Text.of(saga, "status")));
    }
    return 0;
  }
}
