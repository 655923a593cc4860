package io.onceflow.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Whatever an object refers to by name exists, with the keys that are asked of it. */
final class References implements Check {

  private static final String USERNAME = "username";
  private static final String PASSWORD = "password";

  @Override
  public List<String> problems(Cluster cluster) {
    Stream<String> missing =
        cluster.manifests().stream()
            .flatMap(References::of)
            .flatMap(reference -> problems(cluster, reference));
    return Stream.concat(missing, mounts(cluster)).toList();
  }

  static Stream<Reference> of(Manifest manifest) {
    return Stream.concat(
        manifest.makesPods() ? PodReferences.of(manifest).stream() : Stream.empty(),
        custom(manifest).stream());
  }

  private static List<Reference> custom(Manifest m) {
    return switch (m.kind()) {
      case "HorizontalPodAutoscaler" -> List.of(target(m));
      case "ScaledObject" -> scaledObject(m);
      case "TriggerAuthentication" -> authentication(m);
      case "KafkaNodePool", "KafkaTopic", "KafkaUser" ->
          List.of(Reference.to(m, "Kafka", m.at("/metadata/labels").path("strimzi.io/cluster")));
      case "RabbitmqCluster" -> tls(m, m.at("/spec/tls/secretName"), "tls.crt", "tls.key");
      case "Issuer" -> tls(m, m.at("/spec/ca/secretName"), "tls.crt", "tls.key");
      case "ServiceMonitor" -> monitor(m);
      case "Cluster" -> database(m);
      case "ScheduledBackup" -> List.of(Reference.to(m, "Cluster", m.at("/spec/cluster/name")));
      case "ObjectStore" -> objectStore(m);
      case "User" ->
          List.of(
              broker(m),
              Reference.to(
                  m, "Secret", m.at("/spec/importCredentialsSecret/name"), USERNAME, PASSWORD));
      case "Exchange", "Queue", "Binding", "Policy" -> List.of(broker(m));
      case "Permission", "TopicPermission" ->
          List.of(broker(m), Reference.to(m, "User", m.at("/spec/userReference/name")));
      case "ExternalSecret" ->
          List.of(
              Reference.to(
                  m, m.text("/spec/secretStoreRef/kind"), m.at("/spec/secretStoreRef/name")));
      case "Certificate" ->
          List.of(Reference.to(m, m.text("/spec/issuerRef/kind"), m.at("/spec/issuerRef/name")));
      case "Gateway" -> gateway(m);
      case "HTTPRoute" -> route(m);
      default -> List.of();
    };
  }

  private static Reference target(Manifest m) {
    return Reference.to(m, m.text("/spec/scaleTargetRef/kind"), m.at("/spec/scaleTargetRef/name"));
  }

  private static Reference broker(Manifest m) {
    return Reference.to(m, "RabbitmqCluster", m.at("/spec/rabbitmqClusterReference/name"));
  }

  private static List<Reference> authentication(Manifest m) {
    List<Reference> found = each(m, "/spec/secretTargetRef", "Secret", "name", "key");
    found.addAll(each(m, "/spec/configMapTargetRef", "ConfigMap", "name", "key"));
    return found;
  }

  private static List<Reference> monitor(Manifest m) {
    List<Reference> found = new ArrayList<>();
    for (JsonNode endpoint : m.at("/spec/endpoints")) {
      JsonNode ca = endpoint.at("/tlsConfig/ca/secret");
      found.addAll(tls(m, ca.path("name"), ca.path("key").asText()));
    }
    return found;
  }

  /** To a certificate, or none where there is none. */
  private static List<Reference> tls(Manifest m, JsonNode secret, String... keys) {
    return secret.isMissingNode() ? List.of() : List.of(Reference.to(m, "Secret", secret, keys));
  }

  private static List<Reference> scaledObject(Manifest m) {
    List<Reference> found = new ArrayList<>(List.of(target(m)));
    for (JsonNode trigger : m.at("/spec/triggers")) {
      if (trigger.has("authenticationRef")) {
        found.add(Reference.to(m, "TriggerAuthentication", trigger.at("/authenticationRef/name")));
      }
    }
    return found;
  }

  private static List<Reference> database(Manifest m) {
    List<Reference> found = new ArrayList<>();
    found.add(
        Reference.to(m, "Secret", m.at("/spec/bootstrap/initdb/secret/name"), USERNAME, PASSWORD));
    for (JsonNode role : m.at("/spec/managed/roles")) {
      found.add(Reference.to(m, "Secret", role.at("/passwordSecret/name"), USERNAME, PASSWORD));
    }
    for (JsonNode plugin : m.at("/spec/plugins")) {
      found.add(Reference.to(m, "ObjectStore", plugin.at("/parameters/barmanObjectName")));
    }
    return found;
  }

  private static List<Reference> objectStore(Manifest m) {
    JsonNode credentials = m.at("/spec/configuration/s3Credentials");
    return Stream.of(credentials.path("accessKeyId"), credentials.path("secretAccessKey"))
        .map(each -> Reference.to(m, "Secret", each.path("name"), each.path("key").asText()))
        .toList();
  }

  private static List<Reference> gateway(Manifest m) {
    List<Reference> found = new ArrayList<>();
    found.add(Reference.to(m, "GatewayClass", m.at("/spec/gatewayClassName")));
    for (JsonNode listener : m.at("/spec/listeners")) {
      for (JsonNode certificate : listener.at("/tls/certificateRefs")) {
        found.add(Reference.to(m, "Secret", certificate.path("name"), "tls.crt", "tls.key"));
      }
    }
    return found;
  }

  private static List<Reference> route(Manifest m) {
    List<Reference> found = new ArrayList<>();
    m.at("/spec/parentRefs")
        .forEach(parent -> found.add(Reference.to(m, "Gateway", parent.path("name"))));
    for (JsonNode rule : m.at("/spec/rules")) {
      rule.path("backendRefs")
          .forEach(backend -> found.add(Reference.to(m, "Service", backend.path("name"))));
    }
    return found;
  }

  private static List<Reference> each(
      Manifest m, String list, String kind, String name, String key) {
    List<Reference> found = new ArrayList<>();
    m.at(list).forEach(e -> found.add(Reference.to(m, kind, e.path(name), e.path(key).asText())));
    return found;
  }

  private static Stream<String> problems(Cluster cluster, Reference reference) {
    boolean isWithKeys = Set.of("Secret", "ConfigMap").contains(reference.kind());
    if (!isWithKeys) {
      return cluster.has(reference.kind(), reference.name())
          ? Stream.empty()
          : Stream.of(missing(reference));
    }
    Map<String, Set<String>> all = cluster.keys(reference.kind());
    Set<String> keys = all.get(reference.name());
    if (keys == null) {
      return Stream.of(missing(reference));
    }
    Set<String> lacking = new HashSet<>(reference.keys());
    lacking.removeAll(keys);
    return lacking.stream().map(key -> "%s; it has no key %s".formatted(missing(reference), key));
  }

  private static String missing(Reference reference) {
    return "%s refers to a missing %s %s"
        .formatted(reference.from(), reference.kind(), reference.name());
  }

  /** Volumes that containers mount and pods do not have. */
  private static Stream<String> mounts(Cluster cluster) {
    List<String> problems = new ArrayList<>();
    for (Manifest owner : cluster.workloads()) {
      Set<String> volumes = new HashSet<>(owner.podSpec().path("volumes").findValuesAsText("name"));
      owner
          .at("/spec/volumeClaimTemplates")
          .forEach(each -> volumes.add(each.at("/metadata/name").asText()));
      for (JsonNode container : owner.containers()) {
        for (JsonNode mount : container.path("volumeMounts")) {
          if (!volumes.contains(mount.path("name").asText())) {
            problems.add("%s mounts a missing volume %s".formatted(owner, mount.path("name")));
          }
        }
      }
    }
    return problems.stream();
  }
}
