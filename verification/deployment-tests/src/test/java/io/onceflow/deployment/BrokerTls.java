package io.onceflow.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A broker that speaks TLS is spoken to by TLS, by a name that its certificate holds, and by
 * callers who know its authority. One that does not is not asked for it.
 */
final class BrokerTls implements Check {

  private static final int PORT = 5671;

  private final List<String> problems = new ArrayList<>();

  @Override
  public List<String> problems(Cluster cluster) {
    problems.clear();
    Set<String> names = names(cluster);
    for (Manifest service : cluster.services()) {
      checkService(cluster.settings(service), service, names);
    }
    for (Manifest scaled : cluster.all("ScaledObject")) {
      scaled.at("/spec/triggers").forEach(trigger -> checkTrigger(cluster, scaled, trigger, names));
    }
    for (Manifest monitor : cluster.all("ServiceMonitor")) {
      monitor.at("/spec/endpoints").forEach(endpoint -> checkEndpoint(monitor, endpoint, names));
    }
    return List.copyOf(problems);
  }

  /** That the certificates of all brokers hold; none if they have no certificate. */
  private static Set<String> names(Cluster cluster) {
    Set<String> names = new HashSet<>();
    for (Manifest broker : cluster.all("RabbitmqCluster")) {
      String secret = broker.text("/spec/tls/secretName");
      cluster.all("Certificate").stream()
          .filter(certificate -> certificate.text("/spec/secretName").equals(secret))
          .forEach(
              certificate -> certificate.at("/spec/dnsNames").forEach(n -> names.add(n.asText())));
    }
    return names;
  }

  private void checkService(Map<String, String> settings, Manifest service, Set<String> names) {
    boolean isAsked = "true".equals(settings.get("ONCEFLOW_BROKER_TLS_ENABLED"));
    expect(service, "speaks TLS where the broker does", isAsked == !names.isEmpty());
    if (isAsked) {
      expectName(service, settings.getOrDefault("RABBITMQ_HOST", ""), names);
      expect(
          service,
          "calls the port for TLS",
          String.valueOf(PORT).equals(settings.get("RABBITMQ_PORT")));
      String management = settings.get("ONCEFLOW_BROKER_MANAGEMENT");
      if (management != null) {
        URI address = URI.create(management);
        expect(service, "reads by https", "https".equals(address.getScheme()));
        expectName(service, String.valueOf(address.getHost()), names);
      }
      String authority = settings.getOrDefault("ONCEFLOW_BROKER_TLS_CA", "");
      expect(
          service, "has the file of the broker's authority", SecretFiles.has(service, authority));
    }
  }

  private void checkTrigger(Cluster cluster, Manifest scaled, JsonNode trigger, Set<String> names) {
    if (!trigger.path("type").asText().equals("rabbitmq")) {
      return;
    }
    URI host = URI.create(trigger.at("/metadata/host").asText());
    boolean isAsked = host.getScheme().equals("amqps");
    expect(scaled, "speaks TLS where the broker does", isAsked == !names.isEmpty());
    if (isAsked) {
      expectName(scaled, host.getHost(), names);
      expect(scaled, "calls the port for TLS", host.getPort() == PORT);
      Optional<Manifest> authentication =
          cluster.find("TriggerAuthentication", trigger.at("/authenticationRef/name").asText());
      expect(
          scaled,
          "knows the broker's authority",
          authentication.filter(it -> isWithTls(cluster, it)).isPresent());
    }
  }

  private static boolean isWithTls(Cluster cluster, Manifest authentication) {
    boolean hasAuthority =
        stream(authentication.at("/spec/secretTargetRef"))
            .anyMatch(each -> each.path("parameter").asText().equals("ca"));
    return hasAuthority
        && stream(authentication.at("/spec/configMapTargetRef"))
            .filter(each -> each.path("parameter").asText().equals("tls"))
            .flatMap(each -> cluster.find("ConfigMap", each.path("name").asText()).stream())
            .anyMatch(config -> config.text("/data/tls").equals("enable"));
  }

  private void checkEndpoint(Manifest monitor, JsonNode endpoint, Set<String> names) {
    if (endpoint.path("port").asText().equals("prometheus-tls")) {
      expect(monitor, "reads by https", endpoint.path("scheme").asText().equals("https"));
      expectName(monitor, endpoint.at("/tlsConfig/serverName").asText(), names);
    }
  }

  private void expectName(Manifest caller, String name, Set<String> names) {
    if (!names.contains(name)) {
      problems.add(
          "%s calls the broker %s, and its certificate is for %s".formatted(caller, name, names));
    }
  }

  private void expect(Manifest manifest, String what, boolean isSo) {
    if (!isSo) {
      problems.add("It is not so that %s %s".formatted(manifest, what));
    }
  }

  private static Stream<JsonNode> stream(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false);
  }
}
