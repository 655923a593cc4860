package io.onceflow.conformance.dbos;

import dev.dbos.transact.DBOS;
import dev.dbos.transact.workflow.StepOptions;
import dev.dbos.transact.workflow.Workflow;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The saga by hand: DBOS has durable steps and no compensations. A cancellation is a message that
 * the workflow asks for between its steps, since {@code cancelWorkflow} ends it without undoing
 * anything.
 */
final class CompensatingWorkflow implements SuiteWorkflow {

  static final String CANCEL = "cancel";
  static final String MESSAGE = "message";

  private static final int ATTEMPTS = 8;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final URI LEDGER = URI.create(System.getenv("LEDGER_URL"));

  private final DBOS dbos;
  private final List<String> steps;

  CompensatingWorkflow(DBOS dbos, List<String> steps) {
    this.dbos = dbos;
    this.steps = steps;
  }

  @Override
  @Workflow(name = "suite")
  public String run(String key, boolean waits) throws Exception {
    Deque<String> done = new ArrayDeque<>();
    for (String step : steps) {
      if (waits && step.equals("middle")) {
        dbos.recv(MESSAGE, Duration.ofMinutes(5));
      }
      if (isCancelled()) {
        return compensate(key, done, "cancelled");
      }
      String error;
      try {
        error = step(key, step, "do");
      } catch (Exception unknown) {
        done.push(step);
        return compensate(key, done, "unknown");
      }
      if (!error.isEmpty()) {
        return compensate(key, done, error);
      }
      done.push(step);
    }
    return isCancelled() ? compensate(key, done, "cancelled") : "COMPLETED";
  }

  private boolean isCancelled() {
    return dbos.recv(CANCEL, Duration.ofMillis(1)).isPresent();
  }

  /** A compensation whose attempts are used up ends the workflow with its exception. */
  private String compensate(String key, Deque<String> done, String why) throws Exception {
    for (String step : done) {
      step(key, step, "undo");
    }
    return "COMPENSATED " + why;
  }

  private String step(String key, String step, String act) throws Exception {
    return dbos.runStep(
        () -> request(key, step, act),
        new StepOptions(act + " " + step).withMaxAttempts(ATTEMPTS).withRetryInterval(FIRST_PAUSE));
  }

  /** The participant's error; empty if it has none. */
  private static String request(String key, String step, String act)
      throws IOException, InterruptedException {
    HttpResponse<String> response =
        HTTP.send(
            HttpRequest.newBuilder(LEDGER.resolve("/%s/%s/%s".formatted(key, step, act)))
                .header("Idempotency-Key", "%s:%s:%s".formatted(key, step, act))
                .POST(BodyPublishers.noBody())
                .build(),
            BodyHandlers.ofString());
    return switch (response.statusCode()) {
      case 200 -> "";
      case 409 -> response.body();
      default -> throw new IOException("answered " + response.statusCode());
    };
  }
}
