package io.onceflow.participants.internal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.saga.internal.operators.CallingOperator;
import io.onceflow.saga.internal.services.OtherServices;
import io.onceflow.saga.internal.services.ServiceAnswer;
import io.onceflow.saga.internal.services.ServiceAnswer.Answered;
import io.onceflow.saga.internal.services.ServiceAnswer.Unanswered;
import io.onceflow.saga.internal.services.ServiceRequest;
import io.quarkiverse.resteasy.problem.HttpProblem;
import io.quarkus.security.identity.SecurityIdentity;
import jakarta.inject.Singleton;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.Response.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Passes requests on to other services in the caller's name, and their answers back. */
@Singleton
class PassedOn {

  /** As often as the page looks by itself. */
  private static final int RETRY_AFTER_SECONDS = 5;

  private static final int UNAUTHORIZED = 401;
  private static final int LAST_SUCCESS = 299;
  private static final int FIRST_REFUSAL = 400;

  private final OtherServices services;
  private final ObjectMapper json;
  private final SecurityIdentity caller;

  PassedOn(OtherServices services, ObjectMapper json, SecurityIdentity caller) {
    this.services = services;
    this.json = json;
    this.caller = caller;
  }

  /** How all other services are, in the order of their names. */
  List<ServiceView> participants() {
    List<ServiceView> views = new ArrayList<>();
    Map<String, ServiceAnswer> answers = services.getFromAll("/participant", token());
    answers.forEach((name, answer) -> views.add(view(name, answer)));
    return views;
  }

  private ServiceView view(String name, ServiceAnswer answer) {
    String url = services.url(name).map(Object::toString).orElse(null);
    return switch (answer) {
      case Answered told when told.isOk() -> shown(name, url, told);
      case Answered refused -> ServiceView.unreachable(name, url, refusal(refused));
      case Unanswered none -> ServiceView.unreachable(name, url, none.why());
    };
  }

  private ServiceView shown(String name, @Nullable String url, Answered told) {
    JsonNode participant = readOrNull(told.body());
    return participant != null && participant.path("queues").isArray()
        ? ServiceView.reached(name, url, participant)
        : ServiceView.unreachable(name, url, "What it answered is not how a service is.");
  }

  private @Nullable JsonNode readOrNull(String text) {
    try {
      return json.readTree(text);
    } catch (JsonProcessingException e) {
      return null;
    }
  }

  private static String refusal(Answered refused) {
    return switch (refused.status()) {
      case UNAUTHORIZED -> "It does not accept your token.";
      case 403 -> "It does not let you look.";
      case 404 -> "It answered 404: it has no GET /participant.";
      default -> "It answered with status %s.".formatted(refused.status());
    };
  }

  /** Asks a service, and answers as it does. */
  Response ask(String name, ServiceRequest request) {
    ServiceAnswer answer = services.ask(name, request, token()).orElseThrow(() -> unknown(name));
    return switch (answer) {
      case Answered it -> passedOn(name, it);
      case Unanswered none -> throw unanswered(name, none);
    };
  }

  /** A body that was read and checked, as text again. */
  String text(Object body) {
    try {
      return json.writeValueAsString(body);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a record of texts cannot be written as JSON", e);
    }
  }

  private String token() {
    return CallingOperator.of(caller).token();
  }

  /** A 401 of another service does not mean that the caller is signed out here. */
  private static Response passedOn(String name, Answered answer) {
    boolean isEmpty = answer.body().isEmpty();
    if (answer.status() == UNAUTHORIZED) {
      throw problem(Status.BAD_GATEWAY, name, "It does not accept your token.").build();
    }
    if (answer.status() > LAST_SUCCESS && answer.status() < FIRST_REFUSAL
        || !isEmpty && !isJson(answer)) {
      throw problem(
              Status.BAD_GATEWAY,
              name,
              "It answered with status %s, and not as Onceflow does: is its URL right?"
                  .formatted(answer.status()))
          .build();
    }
    Response.ResponseBuilder response = Response.status(answer.status());
    if (!isEmpty) {
      response.entity(answer.body()).header(HttpHeaders.CONTENT_TYPE, answer.contentType());
    }
    if (answer.retryAfter() != null) {
      response.header(HttpHeaders.RETRY_AFTER, answer.retryAfter());
    }
    return response.build();
  }

  private static boolean isJson(Answered answer) {
    String type = String.valueOf(answer.contentType());
    return type.startsWith("application/json") || type.startsWith("application/problem+json");
  }

  static NotFoundException unknown(String name) {
    return new NotFoundException(
        "No service \"%s\" is listed in onceflow.services.".formatted(name));
  }

  private static HttpProblem unanswered(String name, Unanswered none) {
    return problem(Status.SERVICE_UNAVAILABLE, name, none.why())
        .withHeader(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS)
        .build();
  }

  private static HttpProblem.Builder problem(Status status, String name, String why) {
    return HttpProblem.builder()
        .withTitle("%s cannot be asked".formatted(name))
        .withStatus(status)
        .withDetail(why);
  }
}
