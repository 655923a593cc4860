package io.onceflow.conformance.onceflow;

import io.onceflow.conformance.onceflow.SuiteMessages.DoStep;
import io.onceflow.conformance.onceflow.SuiteMessages.StepDeclined;
import io.onceflow.conformance.onceflow.SuiteMessages.UndoStep;
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
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Each step and compensation is one request to the suite's ledger. */
@ApplicationScoped
public class SuiteParticipant {

  private final HttpClient http = HttpClient.newHttpClient();
  private final URI ledger;

  SuiteParticipant(@ConfigProperty(name = "ledger.url") URI ledger) {
    this.ledger = ledger;
  }

  @Handles
  @CallsOut
  Answer act(DoStep command, CallKey key) throws IOException, InterruptedException {
    HttpResponse<String> answer = request(command.key(), command.step(), "do", key);
    return switch (answer.statusCode()) {
      case 200 -> Answer.done();
      case 409 -> Answer.refused(new StepDeclined(command.sagaId(), answer.body()));
      default -> throw new IOException("answered " + answer.statusCode());
    };
  }

  @Handles
  @CallsOut
  void undo(UndoStep command, CallKey key) throws IOException, InterruptedException {
    int status = request(command.key(), command.step(), "undo", key).statusCode();
    if (status != 200) {
      throw new IOException("answered " + status);
    }
  }

  private HttpResponse<String> request(String saga, String step, String act, CallKey key)
      throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(ledger.resolve("/%s/%s/%s".formatted(saga, step, act)))
            .header("Idempotency-Key", key.value())
            .POST(BodyPublishers.noBody())
            .build(),
        BodyHandlers.ofString());
  }
}
