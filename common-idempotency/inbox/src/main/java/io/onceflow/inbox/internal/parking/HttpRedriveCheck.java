package io.onceflow.inbox.internal.parking;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.inbox.internal.participant.Participant;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Asks the service that keeps the sagas: {@code GET /sagas/{id}} with the operator's own token, so
 * that the answer shows only what the operator may see.
 */
@ApplicationScoped
public class HttpRedriveCheck {

  private final ObjectMapper json;
  private final String url;
  private final Duration timeout;
  private final HttpClient client;

  HttpRedriveCheck(ObjectMapper json, SagasConfig config) {
    this.json = json;
    this.url = config.url().toString().replaceFirst("/$", "");
    this.timeout = config.timeout();
    this.client = HttpClient.newBuilder().connectTimeout(timeout).build();
  }

  /** Asks whether a saga still wants the step that a command is for. */
  public RedriveCheck onBehalfOf(Participant participant) {
    return (command, operator) -> {
      Optional<String> step = participant.stepOf(command);
      String saga = String.valueOf(command.correlationId());
      return isId(saga)
          ? objection(saga, step, ask(saga, operator.token()))
          : Optional.of("Its correlation-id is \"%s\", not the id of a saga.".formatted(saga));
    };
  }

  private Optional<String> objection(
      String saga, Optional<String> step, HttpResponse<String> answer) {
    return switch (answer.statusCode()) {
      case 200 -> shown(answer.body()).objection(step);
      case 404 -> Optional.of("There is no saga %s.".formatted(saga));
      default ->
          throw new SagaQueryFailed(
              "Asked about saga %s, %s answered with status %s."
                  .formatted(saga, url, answer.statusCode()));
    };
  }

  private HttpResponse<String> ask(String saga, String token) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + "/sagas/" + saga))
            .timeout(timeout)
            .header("Authorization", "Bearer " + token)
            .header("Accept", "application/json")
            .build();
    try {
      return client.send(request, BodyHandlers.ofString());
    } catch (IOException e) {
      throw unanswered(saga, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unanswered(saga, e);
    }
  }

  private SagaStatusView shown(String body) {
    try {
      @Nullable SagaStatusView shown = json.readValue(body, SagaStatusView.class);
      if (shown == null) {
        throw new SagaQueryFailed("%s answered with nothing.".formatted(url));
      }
      return shown;
    } catch (JsonProcessingException e) {
      throw new SagaQueryFailed(
          "What %s answered is no saga: %s".formatted(url, e.getOriginalMessage()));
    }
  }

  private SagaQueryFailed unanswered(String saga, Exception why) {
    return new SagaQueryFailed("%s was asked about saga %s: %s".formatted(url, saga, why));
  }

  private static boolean isId(String text) {
    try {
      return UUID.fromString(text).toString().equalsIgnoreCase(text);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
