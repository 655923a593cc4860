package io.onceflow.easypostdouble;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.extension.ResponseDefinitionTransformerV2;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.http.Request;
import com.github.tomakehurst.wiremock.http.ResponseDefinition;
import com.github.tomakehurst.wiremock.stubbing.ServeEvent;
import java.util.Map;
import java.util.Optional;

/** Answers each request that WireMock takes. */
final class EasyPostTransformer implements ResponseDefinitionTransformerV2 {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final EasyPostEndpoints endpoints;
  private final EasyPostFaults faults;

  EasyPostTransformer(EasyPostEndpoints endpoints, EasyPostFaults faults) {
    this.endpoints = endpoints;
    this.faults = faults;
  }

  @Override
  public String getName() {
    return "easypost";
  }

  @Override
  public ResponseDefinition transform(ServeEvent event) {
    Optional<ResponseDefinition> otherAnswer = faults.otherAnswer();
    if (otherAnswer.isPresent()) {
      return otherAnswer.get();
    }
    try {
      return rendered(answer(event.getRequest()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new ResponseDefinitionBuilder().withFault(Fault.CONNECTION_RESET_BY_PEER).build();
    }
  }

  private EasyPostReply answer(Request request) throws InterruptedException {
    String authorization = Optional.ofNullable(request.getHeader("Authorization")).orElse("");
    Optional<EasyPostReply> refusal = refusal(authorization);
    if (refusal.isPresent()) {
      return refusal.get();
    }
    faults.takeTime();
    if (faults.refusesAsTooMany()) {
      return EasyPostReply.tooManyRequests();
    }
    String url = request.getUrl();
    int query = url.indexOf('?');
    String path = query < 0 ? url : url.substring(0, query);
    return request.getMethod().getName().equals("GET")
        ? endpoints.get(path, EasyPostQuery.of(query < 0 ? "" : url.substring(query + 1)))
        : post(path, request.getBodyAsString());
  }

  /** Any key is taken but a few that stand for those that EasyPost refuses. */
  private static Optional<EasyPostReply> refusal(String authorization) {
    if (!authorization.startsWith("Bearer ") && !authorization.startsWith("Basic ")) {
      return Optional.of(EasyPostReply.error(401, "UNAUTHORIZED", "Authentication is required."));
    }
    return switch (authorization.substring(authorization.indexOf(' ') + 1)) {
      case "EZTK_revoked" ->
          Optional.of(EasyPostReply.error(401, "UNAUTHORIZED", "The API key is not valid."));
      case "EZTK_without_permissions" ->
          Optional.of(EasyPostReply.error(403, "FORBIDDEN", "The API key may not do that."));
      case "EZTK_unpaid" ->
          Optional.of(EasyPostReply.error(402, "PAYMENT_REQUIRED", "The balance is used up."));
      default -> Optional.empty();
    };
  }

  private EasyPostReply post(String path, String body) throws InterruptedException {
    try {
      return endpoints.post(
          path, body.isBlank() ? Map.of() : JSON.readValue(body, new TypeReference<>() {}));
    } catch (JsonProcessingException e) {
      return EasyPostReply.error(400, "BAD_REQUEST", "The request is not JSON.");
    }
  }

  private static ResponseDefinition rendered(EasyPostReply reply) {
    if (reply.isLost()) {
      return new ResponseDefinitionBuilder().withFault(Fault.CONNECTION_RESET_BY_PEER).build();
    }
    return new ResponseDefinitionBuilder()
        .withStatus(reply.status())
        .withHeader("Content-Type", "application/json")
        .withHeader("X-Request-Id", EasyPostShipments.id(""))
        .withBody(json(reply.body()))
        .build();
  }

  static String json(Object body) {
    try {
      return JSON.writeValueAsString(body);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
