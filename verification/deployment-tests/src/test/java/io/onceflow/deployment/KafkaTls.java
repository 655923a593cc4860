package io.onceflow.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

/**
 * Kafka is spoken to by TLS alone, by the name that Strimzi puts into its certificates, by clients
 * that know its authority and show a certificate of their own user.
 */
final class KafkaTls implements Check {

  private final List<String> problems = new ArrayList<>();

  @Override
  public List<String> problems(Cluster cluster) {
    problems.clear();
    for (Manifest kafka : cluster.all("Kafka")) {
      JsonNode listeners = kafka.at("/spec/kafka/listeners");
      listeners.forEach(listener -> checkListener(kafka, listener));
      String address =
          "%s-bootstrap.onceflow.svc:%d"
              .formatted(StrimziMade.brokers(kafka), listeners.at("/0/port").asInt());
      cluster.services().forEach(it -> checkService(cluster.settings(it), it, kafka, address));
      for (Manifest scaled : cluster.all("ScaledObject")) {
        scaled
            .at("/spec/triggers")
            .forEach(trigger -> checkTrigger(cluster, scaled, trigger, address));
      }
    }
    return List.copyOf(problems);
  }

  private void checkListener(Manifest kafka, JsonNode listener) {
    expect(kafka, "speaks TLS at every listener", listener.path("tls").asBoolean());
    expect(
        kafka,
        "asks every client for a certificate",
        listener.at("/authentication/type").asText().equals("tls"));
    expect(
        kafka,
        "is not open to all pods by Strimzi's own policy",
        !listener.path("networkPolicyPeers").isEmpty());
  }

  private void checkService(
      Map<String, String> settings, Manifest service, Manifest kafka, String address) {
    expectSetting(service, settings, "KAFKA_BOOTSTRAP_SERVERS", address);
    expectSetting(service, settings, "KAFKA_SECURITY_PROTOCOL", "SSL");
    expectSetting(service, settings, "KAFKA_SSL_TRUSTSTORE_TYPE", "PEM");
    expectSetting(service, settings, "KAFKA_SSL_KEYSTORE_TYPE", "PEM");
    expectSecret(
        service, "KAFKA_SSL_TRUSTSTORE_CERTIFICATES", kafka.name() + "-cluster-ca-cert", "ca.crt");
    expectSecret(service, "KAFKA_SSL_KEYSTORE_CERTIFICATE_CHAIN", service.name(), "user.crt");
    expectSecret(service, "KAFKA_SSL_KEYSTORE_KEY", service.name(), "user.key");
  }

  private void checkTrigger(Cluster cluster, Manifest scaled, JsonNode trigger, String address) {
    if (!trigger.path("type").asText().equals("kafka")) {
      return;
    }
    JsonNode metadata = trigger.path("metadata");
    expect(scaled, "calls " + address, metadata.path("bootstrapServers").asText().equals(address));
    expect(scaled, "speaks TLS", metadata.path("tls").asText().equals("enable"));
    List<String> parameters =
        cluster
            .find("TriggerAuthentication", trigger.at("/authenticationRef/name").asText())
            .stream()
            .flatMap(it -> it.at("/spec/secretTargetRef").findValuesAsText("parameter").stream())
            .toList();
    expect(
        scaled,
        "knows Kafka's authority and has a certificate",
        parameters.containsAll(List.of("ca", "cert", "key")));
  }

  private void expectSetting(
      Manifest service, Map<String, String> settings, String name, String value) {
    expect(service, "has %s=%s".formatted(name, value), value.equals(settings.get(name)));
  }

  private void expectSecret(Manifest service, String variable, String secret, String key) {
    boolean isSo =
        StreamSupport.stream(service.podSpec().at("/containers/0/env").spliterator(), false)
            .filter(each -> each.path("name").asText().equals(variable))
            .map(each -> each.at("/valueFrom/secretKeyRef"))
            .anyMatch(
                it ->
                    it.path("name").asText().equals(secret) && it.path("key").asText().equals(key));
    expect(service, "has %s of Secret %s, %s".formatted(variable, secret, key), isSo);
  }

  private void expect(Manifest manifest, String what, boolean isSo) {
    if (!isSo) {
      problems.add("It is not so that %s %s".formatted(manifest, what));
    }
  }
}
