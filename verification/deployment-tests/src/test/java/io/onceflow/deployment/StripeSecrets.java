package io.onceflow.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;

/**
 * A payment service that charges by Stripe has its secrets from a Secret and from nowhere else,
 * reaches Stripe, and is sent Stripe's events and its customers' look at payments that wait, which
 * are all that is routed to it. No other service has these secrets.
 */
final class StripeSecrets implements Check {

  private static final String PAYMENTS = "payment-service";
  private static final String PREFIX = "ONCEFLOW_STRIPE_";
  private static final List<String> SECRETS =
      List.of("ONCEFLOW_STRIPE_API_KEY", "ONCEFLOW_STRIPE_WEBHOOK_SECRETS");

  private final List<String> problems = new ArrayList<>();

  @Override
  public List<String> problems(Cluster cluster) {
    problems.clear();
    for (Manifest service : cluster.services()) {
      boolean isByStripe = "stripe".equals(cluster.settings(service).get("ONCEFLOW_GATEWAY"));
      boolean isPayments = service.name().equals(PAYMENTS);
      expect(service, "charges by Stripe only where it charges", isPayments || !isByStripe);
      if (isByStripe) {
        checkSecrets(cluster, service);
        checkArrows(cluster, service);
      }
      expect(service, "has a use for Stripe's secrets", isByStripe || variables(service).isEmpty());
    }
    return List.copyOf(problems);
  }

  private void checkSecrets(Cluster cluster, Manifest service) {
    for (String secret : SECRETS) {
      expect(service, "has " + secret + " from a Secret", isFromSecret(service, secret));
      expect(
          service,
          "has no " + secret + " in a ConfigMap",
          !cluster.settings(service).containsKey(secret));
    }
  }

  private void checkArrows(Cluster cluster, Manifest service) {
    var arrows = new Arrows(cluster).all();
    expect(service, "may reach Stripe", arrows.contains(PAYMENTS + " -> (0.0.0.0/0):443"));
    expect(
        service,
        "may be reached by who passes on Stripe's events",
        arrows.contains("(onceflow.io/clients) -> payment-service:8081"));
    List<JsonNode> routed = routed(cluster);
    expect(service, "is sent Stripe's events", routed.stream().anyMatch(StripeSecrets::isEvents));
    expect(
        service,
        "tells customers of payments that wait for them",
        routed.stream().anyMatch(StripeSecrets::isPending));
    expect(
        service,
        "is sent nothing else",
        routed.stream().allMatch(it -> isEvents(it) || isPending(it)));
  }

  /** What comes in to the payment service, as the matches of routes. */
  private static List<JsonNode> routed(Cluster cluster) {
    return cluster.all("HTTPRoute").stream()
        .flatMap(route -> StreamSupport.stream(route.at("/spec/rules").spliterator(), false))
        .filter(rule -> rule.findValuesAsText("name").contains(PAYMENTS))
        .flatMap(rule -> StreamSupport.stream(rule.path("matches").spliterator(), false))
        .toList();
  }

  private static boolean isEvents(JsonNode match) {
    return isRequest(match, "POST", "Exact", "/webhooks/stripe");
  }

  private static boolean isPending(JsonNode match) {
    return isRequest(match, "GET", "PathPrefix", "/stripe/pending-payments");
  }

  private static boolean isRequest(JsonNode match, String method, String type, String path) {
    return match.path("method").asText().equals(method)
        && match.at("/path/type").asText().equals(type)
        && match.at("/path/value").asText().equals(path);
  }

  private static List<String> variables(Manifest service) {
    return service.containers().stream()
        .flatMap(it -> it.path("env").findValuesAsText("name").stream())
        .filter(name -> name.startsWith(PREFIX))
        .toList();
  }

  private static boolean isFromSecret(Manifest service, String variable) {
    return StreamSupport.stream(service.podSpec().at("/containers/0/env").spliterator(), false)
        .filter(each -> each.path("name").asText().equals(variable))
        .anyMatch(each -> each.path("valueFrom").has("secretKeyRef"));
  }

  private void expect(Manifest manifest, String what, boolean isSo) {
    if (!isSo) {
      problems.add("It is not so that %s %s".formatted(manifest, what));
    }
  }
}
