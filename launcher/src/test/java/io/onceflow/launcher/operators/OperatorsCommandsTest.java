package io.onceflow.launcher.operators;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.launcher.Main;
import io.onceflow.launcher.servers.FreePorts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The operators' commands as processes, against an API that answers as it is told. */
@Tag("nightly")
class OperatorsCommandsTest {

  private static final UUID ID = new UUID(7, 9);

  @TempDir private Path home;
  @AutoClose private final FakeApi api = new FakeApi();

  private record Outcome(int exitCode, String out, String err) {}

  @Test
  void listsSagasAsATableWithTheFiltersOfTheApi() throws Exception {
    api.answer(
        "GET /sagas",
        200,
        """
        {"sagas": [{"id": "%s", "definition": "place-order", "version": 2, "status": "STUCK",
          "reason": null, "startedAt": "2026-01-01T10:00:00Z", "steps": ["process-payment"],
          "attempts": 12, "customer": "alice\\u001b[31m", "attributes": {"orderNumber": "7"}}],
         "next": "abc"}
        """
            .formatted(ID));

    Outcome outcome =
        run("sagas", "list", "--status", "STUCK", "--older-than", "PT1H", "--attribute=a:b c&d");

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    assertThat(outcome.out())
        .isEqualTo(
            """
            SAGA                                  STATUS  DEFINITION      WAITS FOR        TRIES  STARTED               CUSTOMER    WITH
            %s  STUCK   place-order v2  process-payment  12     2026-01-01T10:00:00Z  alice [31m  orderNumber=7
            """
                .formatted(ID));
    assertThat(outcome.err()).contains("--cursor abc");
    assertThat(api.asked().getFirst().line())
        .isEqualTo(
            "GET /sagas?status=STUCK&olderThan=PT1H&attribute=a%3Ab%20c%26d&order=newest&limit=50");
    assertThat(api.asked().getFirst().authorization()).isEqualTo("Bearer operators-token");
  }

  @Test
  void findsTheSagaOfAnOrder() throws Exception {
    api.answer("GET /sagas", 200, "{\"sagas\": [], \"next\": null}");

    assertThat(run("sagas", "list", "--subject", ID.toString()).exitCode()).isZero();
    assertThat(api.asked().getFirst().line())
        .isEqualTo("GET /sagas?subject=%s&order=newest&limit=50".formatted(ID));
  }

  @Test
  void printsWhatTheApiAnswersAsJson() throws Exception {
    api.answer("GET /sagas/count", 200, "{\"count\": 10000, \"exact\": false}");

    assertThat(run("sagas", "count", "--json", "--quarantined").out())
        .isEqualToIgnoringWhitespace("{\"count\": 10000, \"exact\": false}");
    assertThat(run("sagas", "count").out()).isEqualToIgnoringWhitespace("10000 or more");
    assertThat(api.asked().getFirst().line()).isEqualTo("GET /sagas/count?quarantined=true");
  }

  @Test
  void showsOneSagaWithItsHistory() throws Exception {
    api.answer(
        "GET /sagas/" + ID,
        200,
        """
        {"id": "%s", "definition": "place-order", "version": 1, "status": "COMPENSATED",
         "reason": "SHIPMENT_REJECTED", "startedAt": "2026-01-01T10:00:00Z",
         "steps": [{"name": "process-payment", "status": "COMPENSATED", "attempts": 1,
           "compensation": {"name": "refund-payment", "attempts": 3}}],
         "history": [{"at": "2026-01-01T10:00:00Z", "event": "STARTED"}]}
        """
            .formatted(ID));

    assertThat(run("sagas", "show", ID.toString()).out())
        .contains("SHIPMENT_REJECTED", "refund-payment (tries: 3)", "STARTED");
  }

  @Test
  void tellsInASentenceWhyASagaRefuses() throws Exception {
    api.answer(
        "POST /sagas/%s/retry".formatted(ID),
        409,
        "{\"type\": \"/problems/saga-refuses\", \"detail\": \"It has ended as COMPLETED.\"}");

    Outcome outcome = run("sagas", "retry", ID.toString(), "--because", "the bank is back");

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err()).isEqualToIgnoringWhitespace("It has ended as COMPLETED (409).");
    assertThat(api.asked().getFirst().body().path("reason").asText()).isEqualTo("the bank is back");
  }

  @Test
  void holdsASagaUntilATimeAndResumesIt() throws Exception {
    String saga = "{\"id\": \"%s\", \"status\": \"RUNNING\"}".formatted(ID);
    api.answer("POST /sagas/%s/hold".formatted(ID), 200, saga);
    api.answer("POST /sagas/%s/resume".formatted(ID), 200, saga);

    Outcome held =
        run("sagas", "hold", ID.toString(), "--until", "2099-01-01T00:00:00Z", "--because", "look");
    Outcome resumed = run("sagas", "resume", ID.toString(), "--because", "seen");

    assertThat(held.exitCode()).as(held.err()).isZero();
    assertThat(resumed.exitCode()).as(resumed.err()).isZero();
    assertThat(api.asked().getFirst().body())
        .hasToString("{\"reason\":\"look\",\"until\":\"2099-01-01T00:00:00Z\"}");
    assertThat(api.asked().getLast().body()).hasToString("{\"reason\":\"seen\"}");
  }

  @Test
  void showsVersionsAndStartsOneForAShareOfNewSagasAndNoneAgain() throws Exception {
    String definition =
        """
        {"name": "place-order", "replicas": 3, "hold": null, "versions": [
          {"version": 1, "share": 90, "knownBy": 3, "open": 12, "drained": false},
          {"version": 2, "share": 10, "knownBy": 3, "open": 0, "drained": false}]}
        """;
    api.answer("GET /sagas/definitions", 200, "[%s]".formatted(definition));
    api.answer("POST /sagas/definitions/place-order/start-version", 200, definition);

    Outcome listed = run("versions", "list");
    Outcome started =
        run("versions", "start", "place-order", "2", "--share", "10", "--because", "try");
    run("versions", "back", "place-order", "--because", "bad");

    assertThat(listed.out())
        .isEqualTo(
            """
            DEFINITION   VERSION  NEW SAGAS  OPEN  KNOWN BY
            place-order  1        90 %       12    3 of 3
            place-order  2        10 %       0     3 of 3
            """);
    assertThat(started.exitCode()).as(started.err()).isZero();
    assertThat(api.asked().get(1).body())
        .hasToString("{\"version\":2,\"share\":10,\"reason\":\"try\"}");
    assertThat(api.asked().get(2).body())
        .hasToString("{\"version\":1,\"share\":0,\"reason\":\"bad\"}");
  }

  @Test
  void foretellsAMigrationAndUndoesIt() throws Exception {
    api.answer(
        "POST /sagas/repairs",
        200,
        """
        {"dryRun": true, "count": 3, "exact": true, "allowed": 2, "refused": 1, "samples": [],
         "reasons": [{"why": "book-car is under way, and version 2 has no such step", "count": 1}]}
        """);

    Outcome foretold = run("versions", "migrate", "place-order", "1", "2", "--limit", "10");
    run("versions", "migrate", "place-order", "2", "1", "--migrated-by", ID.toString());

    assertThat(foretold.exitCode()).as(foretold.err()).isZero();
    assertThat(foretold.out())
        .isEqualTo(
            """
            migrate would be tried on 3 sagas: 2 allow it, 1 refuse

            SAGAS  WHY NOT
            1      book-car is under way, and version 2 has no such step
            """);
    assertThat(api.asked().getFirst().body())
        .hasToString(
            "{\"action\":\"migrate\",\"version\":2,\"filter\":{\"definition\":\"place-order\",\"version\":1,\"open\":true},\"limit\":10,\"perSecond\":100,\"dryRun\":true}");
    assertThat(api.asked().getLast().body().path("filter").path("repair").asText())
        .isEqualTo(ID.toString());
  }

  @Test
  void listsWhatSagasFailOfByGroups() throws Exception {
    api.answer(
        "GET /sagas/failures",
        200,
        """
        {"complete": false, "groups": [
          {"fingerprint": "0123", "definition": "place-order", "step": "process-payment",
           "direction": "backward", "kind": "refused", "error": "Refused: CLOSED *", "count": 24,
           "firstAt": "2026-01-01T10:00:00Z", "lastAt": "2026-01-01T11:00:00Z", "samples": []}]}
        """);

    Outcome outcome = run("sagas", "failures");
    assertThat(outcome.err()).contains("10,000 of each definition are read");
    assertThat(outcome.out())
        .isEqualTo(
            """
            SAGAS  DEFINITION   STEP             DIRECTION  KIND     ERROR              FIRST                 LAST                  FINGERPRINT
            24     place-order  process-payment  backward   refused  Refused: CLOSED *  2026-01-01T10:00:00Z  2026-01-01T11:00:00Z  0123
            """);
  }

  @Test
  void showsWhatSagasDidAndTheOutcomesOfEachStep() throws Exception {
    api.answer(
        "GET /sagas/minutes",
        200,
        """
        {"points": [{"at": "2026-01-01T10:00:00Z", "definition": "place-order", "started": 24,
           "completed": 20, "compensated": 2, "p50Ms": 100, "p95Ms": 190, "p99Ms": 500},
          {"at": "2026-01-01T10:00:00Z", "definition": "give-back", "started": 1, "completed": 1,
           "compensated": 0, "p50Ms": 1, "p95Ms": 1, "p99Ms": 1}],
         "steps": [{"definition": "place-order", "step": "process-payment", "entered": 24,
           "done": 20, "refused": 2, "givenUp": 1, "stuck": 0, "sentAgain": 3, "p50Ms": 50,
           "p95Ms": 95, "p99Ms": null}]}
        """);

    assertThat(run("sagas", "minutes", "--hours", "24", "--definition", "place-order").out())
        .isEqualTo(
            """
            FROM                  DEFINITION   STARTED  COMPLETED  COMPENSATED  P50  P95  P99
            2026-01-01T10:00:00Z  place-order  24       20         2            100  190  500

            DEFINITION   STEP             ENTERED  DONE  REFUSED  TIMED OUT  STUCK  SENT AGAIN  P50  P95
            place-order  process-payment  24       20    2        1          0      3           50   95
            """);
    assertThat(api.asked().getFirst().line()).isEqualTo("GET /sagas/minutes?hours=24");
  }

  @Test
  void listsReplicasWithTheOldOneThatLivesStill() throws Exception {
    api.answer(
        "GET /sagas/replicas",
        200,
        """
        [{"living": true, "build": null, "host": null, "startedAt": "2026-01-01T10:00:00Z",
          "seenAt": "2026-01-02T10:00:00Z", "roles": [], "knows": ["place-order v1"],
          "lacks": ["place-order v2"], "loops": [], "connections": null, "heap": null},
         {"living": true, "build": "1.1", "host": "pod-b", "startedAt": "2026-01-02T09:00:00Z",
          "seenAt": "2026-01-02T10:00:00Z", "roles": ["relay"],
          "knows": ["place-order v1", "place-order v2"], "lacks": [],
          "loops": [{"name": "outbox-relay", "lastTurnAt": "2026-01-02T09:59:59.900Z"},
                    {"name": "saga-timers", "lastTurnAt": "2026-01-02T09:59:53Z"}],
          "connections": {"inUse": 2, "idle": 3, "waiting": 0, "most": 30},
          "heap": {"used": 104857600, "most": 268435456}}]
        """);

    assertThat(run("replicas").out())
        .isEqualTo(
            """
            HOST   BUILD  STARTED               STATE   ROLES  KNOWS                           LACKS           SLOWEST LOOP     CONNECTIONS  HEAP
                          2026-01-01T10:00:00Z  living         place-order v1                  place-order v2
            pod-b  1.1    2026-01-02T09:00:00Z  living  relay  place-order v1, place-order v2                  saga-timers 7 s  2 of 30      100 of 256 MiB
            """);
    assertThat(run("replicas", "--json").out()).contains("\"lacks\" : [ \"place-order v2\" ]");
  }

  @Test
  void reportsAnEventUnderAKey() throws Exception {
    api.answer(
        "POST /sagas/%s/signals/contract-signed".formatted(ID),
        200,
        "{\"outcome\": \"TAKEN\", \"saga\": {\"status\": \"RUNNING\"}}");

    Outcome outcome =
        run(
            "sagas",
            "signal",
            ID.toString(),
            "contract-signed",
            "--payload={\"by\": \"ada\"}",
            "--key=contract 7");

    assertThat(outcome.out())
        .isEqualTo("%s: the event contract-signed is TAKEN; it is RUNNING now%n".formatted(ID));
    assertThat(api.asked().getFirst().body().path("by").asText()).isEqualTo("ada");
    assertThat(api.asked().getFirst().key()).isEqualTo("contract 7");
    assertThat(run("sagas", "signal", ID.toString(), "contract-signed", "--payload", "{").err())
        .startsWith("--payload is no JSON");
    run("sagas", "signal", ID.toString(), "contract-signed");
    assertThat(api.asked().getLast().body().isMissingNode()).isTrue();
    assertThat(api.asked().getLast().key()).hasSize(36);
  }

  @Test
  void approvesAndRefusesWithAReason() throws Exception {
    api.answer("POST /sagas/%s/approvals/credit".formatted(ID), 200, "{\"status\": \"RUNNING\"}");

    assertThat(run("sagas", "approve", ID.toString(), "credit").out())
        .isEqualTo("%s: approved credit; it is RUNNING now%n".formatted(ID));
    assertThat(api.asked().getLast().body().toString()).isEqualTo("{\"approved\":true}");
    run("sagas", "refuse", ID.toString(), "credit", "--reason", "two invoices are open");
    assertThat(api.asked().getLast().body().path("approved").asBoolean(true)).isFalse();
    assertThat(api.asked().getLast().body().path("reason").asText())
        .isEqualTo("two invoices are open");
    assertThat(run("sagas", "refuse", ID.toString(), "credit").exitCode()).isEqualTo(2);
  }

  @Test
  void onlyForetellsARepairUntilToldToGo() throws Exception {
    api.answer(
        "POST /sagas/repairs",
        200,
        """
        {"dryRun": true, "count": 500, "exact": true, "allowed": 498, "refused": 2,
         "samples": [{"saga": "%s", "allowed": false, "why": "it has ended", "comesTo": null}]}
        """
            .formatted(ID));

    Outcome outcome = run("sagas", "repair", "retry", "--status", "STUCK");

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    assertThat(outcome.out())
        .contains("retry would be tried on 500 sagas: 498 allow it, 2 refuse", "it has ended");
    assertThat(outcome.err()).contains("Nothing has been changed");
    assertThat(api.asked()).hasSize(1);
    assertThat(api.asked().getFirst().body().path("dryRun").asBoolean()).isTrue();
    assertThat(api.asked().getFirst().body().path("filter").path("status").asText())
        .isEqualTo("STUCK");
  }

  @Test
  void followsARepairToItsEndAndTellsOfFailures() throws Exception {
    api.answer("POST /sagas/repairs", 201, repair("RUNNING", 0, 0))
        .answer("GET /sagas/repairs/" + ID, 200, repair("RUNNING", 3, 0))
        .answer("GET /sagas/repairs/" + ID, 200, repair("FINISHED", 9, 1));

    Outcome outcome =
        run("sagas", "repair", "retry", "--status=STUCK", "--go", "--because", "outage");

    assertThat(outcome.exitCode()).isEqualTo(3);
    assertThat(outcome.err()).contains("0 of 10 repaired", "3 of 10 repaired");
    assertThat(outcome.out()).contains("FINISHED", "9 of 10 repaired", "1 failed", "no such saga");
    assertThat(api.asked().getFirst().body().path("dryRun").asBoolean(true)).isFalse();
  }

  @Test
  void wantsToKnowWhyBeforeItGoes() throws Exception {
    Outcome outcome = run("sagas", "repair", "retry", "--go");

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).contains("--because");
    assertThat(run("sagas", "cancel", ID.toString()).exitCode()).isEqualTo(2);
    assertThat(api.asked()).isEmpty();
  }

  @Test
  void redrivesAParkedMessageOfAServiceByWayOfTheOrchestrator() throws Exception {
    String path = "/sagas/services/payment-service/parked-messages";
    api.answer("GET " + path, 200, "[{\"id\": \"%s\", \"reason\": \"malformed\"}]".formatted(ID))
        .answer("POST %s/%s/redrive".formatted(path, ID), 200, "{\"outcome\": \"redriven\"}")
        .answer("DELETE %s/%s".formatted(path, ID), 204, "");

    assertThat(run("parked", "list", "--service=payment-service").out())
        .contains("payment-service", ID.toString(), "malformed");
    assertThat(run("parked", "redrive", "--service=payment-service", ID.toString()).out())
        .contains("redriven");
    assertThat(run("parked", "delete", "--service=payment-service", ID.toString()).exitCode())
        .isEqualTo(2);
    assertThat(
            run("parked", "delete", "--go", "--service=payment-service", ID.toString()).exitCode())
        .isZero();
    assertThat(api.asked()).extracting(FakeApi.Asked::line).hasSize(3);
  }

  @Test
  void redrivesAGroupAsAJobOfItsService() throws Exception {
    String path = "/sagas/services/payment-service/parked-messages/jobs";
    String group = "0123456789abcdef0123456789abcdef";
    api.answer("POST " + path, 200, "{\"count\": 24, \"tooOld\": 2, \"samples\": []}")
        .answer("POST " + path, 201, "{\"id\": \"%s\", \"total\": 24}".formatted(ID))
        .answer("GET " + path, 200, "[{\"id\": \"%s\", \"status\": \"RUNNING\"}]".formatted(ID))
        .answer("POST %s/%s/stop".formatted(path, ID), 200, "{\"status\": \"STOPPED\"}");
    String of = "--service=payment-service";

    assertThat(run("parked", "group", "redrive", group, of).out())
        .contains("redrive would be tried on 24 messages", "Too old for a redrive: 2");
    assertThat(run("parked", "group", "redrive", group, of, "--go").exitCode()).isEqualTo(2);
    assertThat(run("parked", "group", "redrive", group, of, "--go", "--because=back").out())
        .contains("Job " + ID + " has started on 24 messages");
    assertThat(run("parked", "jobs", of).out()).contains(ID.toString(), "RUNNING");
    assertThat(run("parked", "job-stop", ID.toString(), of).out()).contains("STOPPED now");

    assertThat(api.asked().get(0).body().path("dryRun").asBoolean()).isTrue();
    assertThat(api.asked().get(1).body().path("dryRun").asBoolean()).isFalse();
    assertThat(api.asked().get(1).body().path("reason").asText()).isEqualTo("back");
  }

  @Test
  void saysThatNobodyAnswers() throws Exception {
    Outcome outcome = start("sagas", "list", "--url", "http://localhost:" + FreePorts.next());

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err()).contains("does not answer").doesNotContain("Exception:");
  }

  @Test
  void rejectsACommandLineThatIsWrong() throws Exception {
    assertThat(run("sagas", "repair", "destroy").exitCode()).isEqualTo(2);
    assertThat(run("sagas", "show", "7").exitCode()).isEqualTo(2);
  }

  private static String repair(String status, int repaired, int failed) {
    return """
    {"id": "%s", "action": "retry", "status": "%s", "startedBy": "olga", "total": 10,
     "done": {"requested": 0, "repaired": %d, "failed": %d, "refused": 0, "pending": 0},
     "etaMs": 2000, "failureReasons": [{"why": "no such saga", "count": %d}]}
    """
        .formatted(ID, status, repaired, failed, failed);
  }

  private Outcome run(String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--url", api.url()));
    return start(all.toArray(String[]::new));
  }

  private Outcome start(String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Donceflow.home=" + home,
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
    command.addAll(List.of(arguments));
    Path errors = home.resolve("errors");
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
    builder.environment().put("ONCEFLOW_TOKEN", "operators-token");
    builder.environment().remove("ONCEFLOW_URL");
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes());
    int exitCode = process.waitFor();
    return new Outcome(exitCode, out, Files.readString(errors));
  }
}
