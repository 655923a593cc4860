package io.onceflow.stripedouble;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.extension.ResponseDefinitionTransformerV2;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.http.Request;
import com.github.tomakehurst.wiremock.http.ResponseDefinition;
import com.github.tomakehurst.wiremock.stubbing.ServeEvent;
import io.onceflow.stripedouble.IdempotentRequests.Turn;
import java.util.Optional;
import java.util.function.Consumer;

/** Answers each request that WireMock takes. */
final class Transformer implements ResponseDefinitionTransformerV2 {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final IdempotentRequests requests;
  private final StripeEndpoints endpoints;
  private final Faults faults;
  private final PaymentParties parties;
  private final Consumer<String> versions;

  Transformer(
      IdempotentRequests requests,
      StripeEndpoints endpoints,
      Faults faults,
      PaymentParties parties,
      Consumer<String> versions) {
    this.requests = requests;
    this.endpoints = endpoints;
    this.faults = faults;
    this.parties = parties;
    this.versions = versions;
  }

  @Override
  public String getName() {
    return "stripe";
  }

  @Override
  public ResponseDefinition transform(ServeEvent event) {
    Optional<ResponseDefinition> otherAnswer = faults.otherAnswer();
    if (otherAnswer.isPresent()) {
      return otherAnswer.get();
    }
    try {
      return answer(event.getRequest());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new ResponseDefinitionBuilder().withFault(Fault.CONNECTION_RESET_BY_PEER).build();
    }
  }

  private ResponseDefinition answer(Request request) throws InterruptedException {
    String url = request.getUrl();
    int query = url.indexOf('?');
    String path = query < 0 ? url : url.substring(0, query);
    Optional<StripeResponse> ofParties = parties.post(path);
    if (ofParties.isPresent()) {
      return rendered(ofParties.get(), false);
    }
    versions.accept(Optional.ofNullable(request.getHeader("Stripe-Version")).orElse("none"));
    Optional<StripeResponse> unauthorized =
        ApiKeys.refusal(Optional.ofNullable(request.getHeader("Authorization")).orElse(""));
    if (unauthorized.isPresent()) {
      return rendered(unauthorized.get(), false);
    }
    if (request.getMethod().getName().equals("GET")) {
      faults.takeTime();
      return rendered(
          endpoints.get(path, Form.of(query < 0 ? "" : url.substring(query + 1))), false);
    }
    return post(path, request);
  }

  private ResponseDefinition post(String path, Request request) throws InterruptedException {
    Form form = Form.of(request.getBodyAsString());
    String key = request.getHeader("Idempotency-Key");
    if (key == null) {
      return rendered(endpoints.post(path, form), false);
    }
    String fingerprint = path + " " + form.parameters();
    return switch (requests.begin(key, fingerprint)) {
      case Turn.Replay(StripeResponse response) ->
          rendered(new StripeResponse(response.status(), response.body(), true, false), true);
      case Turn.Refusal(StripeResponse response) -> rendered(response, false);
      case Turn.First() -> rendered(first(path, key, fingerprint, form), false);
    };
  }

  private StripeResponse first(String path, String key, String fingerprint, Form form)
      throws InterruptedException {
    StripeResponse response = null;
    try {
      Optional<StripeResponse> refusal = endpoints.refusal(key, form);
      faults.beforeEffect().pass(path);
      response = refusal.isPresent() ? refusal.get() : endpoints.post(path, form);
      faults.beforeAnswer().pass(path);
      return response;
    } finally {
      requests.end(key, fingerprint, response);
    }
  }

  private static ResponseDefinition rendered(StripeResponse response, boolean isReplay) {
    if (response.isLost()) {
      return new ResponseDefinitionBuilder().withFault(Fault.CONNECTION_RESET_BY_PEER).build();
    }
    ResponseDefinitionBuilder builder =
        new ResponseDefinitionBuilder()
            .withStatus(response.status())
            .withHeader("Content-Type", "application/json")
            .withHeader("Request-Id", Intents.id("req_"))
            .withBody(json(response.body()));
    if (isReplay) {
      builder.withHeader("Idempotent-Replayed", "true");
    }
    return builder.build();
  }

  static String json(Object body) {
    try {
      return JSON.writeValueAsString(body);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
