package io.onceflow.conformance.onceflow;

import io.onceflow.message.Command;
import io.onceflow.message.Refused;
import io.onceflow.message.Undoes;
import io.onceflow.participant.Answer;
import io.onceflow.participant.CallKey;
import io.onceflow.participant.CallsOut;
import io.onceflow.participant.Handles;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.UUID;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Passes each step and each compensation to the suite's ledger. */
@ApplicationScoped
public class SuiteParticipant {

  private final HttpClient http = HttpClient.newHttpClient();
  private final URI ledger;

  SuiteParticipant(@ConfigProperty(name = "ledger.url") URI ledger) {
    this.ledger = ledger;
  }

  /** Do a step. */
  @Command("participant.do-step")
  record DoStep(UUID saga, String step) {}

  /** Undo it. */
  @Command("participant.undo-step")
  @Undoes(DoStep.class)
  record UndoStep(UUID saga, String step) {}

  /** The participant's error; the saga shows its reason. */
  @Refused(DoStep.class)
  record StepDeclined(String reason) {}

  @Handles
  @CallsOut
  Answer act(DoStep command, CallKey key) throws IOException, InterruptedException {
    HttpResponse<String> response = request(command.saga(), command.step(), "do", key);
    return switch (response.statusCode()) {
      case 200 -> Answer.done();
      case 409 -> Answer.refused(new StepDeclined(response.body()));
      default -> throw new IOException("answered " + response.statusCode());
    };
  }

  @Handles
  @CallsOut
  void undo(UndoStep command, CallKey key) throws IOException, InterruptedException {
    int status = request(command.saga(), command.step(), "undo", key).statusCode();
    if (status != 200) {
      throw new IOException("answered " + status);
    }
  }

  private HttpResponse<String> request(UUID saga, String step, String act, CallKey key)
      throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(ledger.resolve("/%s/%s/%s".formatted(saga, step, act)))
            .header("Idempotency-Key", key.value())
            .POST(BodyPublishers.noBody())
            .build(),
        BodyHandlers.ofString());
  }
}
