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
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sends requests to other services with the caller's token, and returns their responses. */
@Singleton
class ServiceProxy {

  /** As often as the page looks by itself. */
  private static final int RETRY_AFTER_SECONDS = 5;

  private static final int UNAUTHORIZED = 401;
  private static final int REDIRECTION = 3;
  private static final String UNKNOWN_TOKEN = "It does not accept your token.";

  private final OtherServices services;
  private final ObjectMapper json;
  private final SecurityIdentity caller;

  ServiceProxy(OtherServices services, ObjectMapper json, SecurityIdentity caller) {
    this.services = services;
    this.json = json;
    this.caller = caller;
  }

  /** How all other services are, in the order of their names. */
  List<ServiceView> participants() {
    return services.askAll(ServiceRequest.get("/participant"), token()).entrySet().stream()
        .map(answer -> view(answer.getKey(), answer.getValue()))
        .toList();
  }

  private ServiceView view(String name, ServiceAnswer answer) {
    JsonNode participant =
        answer instanceof Answered told && told.isOk() ? readOrNull(told.body()) : null;
    return participant != null && participant.path("queues").isArray()
        ? new ServiceView(name, services.url(name), true, null, participant)
        : new ServiceView(name, services.url(name), false, whyNot(answer), null);
  }

  private static String whyNot(ServiceAnswer answer) {
    return switch (answer) {
      case Unanswered none -> none.why();
      case Answered told when told.isOk() -> "Its response is not the state of a participant.";
      case Answered refused ->
          switch (refused.status()) {
            case UNAUTHORIZED -> UNKNOWN_TOKEN;
            case 403 -> "It denies you access.";
            case 404 -> "It answered 404: it has no GET /participant.";
            default -> "It answered with status %s.".formatted(refused.status());
          };
    };
  }

  private @Nullable JsonNode readOrNull(String text) {
    try {
      return json.readTree(text);
    } catch (JsonProcessingException e) {
      return null;
    }
  }

  /** Asks a service, and answers as it does. */
  Response ask(String name, ServiceRequest request) {
    return switch (services.ask(name, request, token()).orElse(null)) {
      case Answered answer -> proxied(name, answer);
      case Unanswered none ->
          throw problem(Status.SERVICE_UNAVAILABLE, name, none.why())
              .withHeader(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS)
              .build();
      case null ->
          throw new NotFoundException(
              "No service \"%s\" is listed in onceflow.services.".formatted(name));
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
  private static Response proxied(String name, Answered answer) {
    if (answer.status() == UNAUTHORIZED) {
      throw problem(Status.BAD_GATEWAY, name, UNKNOWN_TOKEN).build();
    }
    boolean isEmpty = answer.body().isEmpty();
    if (answer.status() / 100 == REDIRECTION || !isEmpty && !isJson(answer)) {
      throw problem(
              Status.BAD_GATEWAY,
              name,
              "It answered with status %s, and not as Onceflow does: is its URL right?"
                  .formatted(answer.status()))
          .build();
    }
    return Response.status(answer.status())
        .entity(isEmpty ? null : answer.body())
        .header(HttpHeaders.CONTENT_TYPE, isEmpty ? null : answer.contentType())
        .header(HttpHeaders.RETRY_AFTER, answer.retryAfter())
        .build();
  }

  private static boolean isJson(Answered answer) {
    return String.valueOf(answer.contentType()).matches("application/(problem\\+)?json\\b.*");
  }

  private static HttpProblem.Builder problem(Status status, String name, String why) {
    return HttpProblem.builder()
        .withTitle("Request to %s failed".formatted(name))
        .withStatus(status)
        .withDetail(why);
  }
}
