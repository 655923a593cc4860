package io.onceflow.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What the pods of a Deployment or a StatefulSet refer to. */
final class PodReferences {

  private final Manifest owner;
  private final List<Reference> references = new ArrayList<>();

  private PodReferences(Manifest owner) {
    this.owner = owner;
  }

  static List<Reference> of(Manifest owner) {
    PodReferences found = new PodReferences(owner);
    found.add("ServiceAccount", owner.podSpec().path("serviceAccountName"));
    if (owner.kind().equals("StatefulSet")) {
      found.add("Service", owner.at("/spec/serviceName"));
    }
    owner.containers().forEach(found::addEnvironment);
    owner.podSpec().path("volumes").forEach(found::addVolume);
    return found.references;
  }

  private void addEnvironment(JsonNode container) {
    for (JsonNode each : container.path("envFrom")) {
      add("ConfigMap", each.at("/configMapRef/name"));
      add("Secret", each.at("/secretRef/name"));
    }
    for (JsonNode each : container.path("env")) {
      JsonNode config = each.at("/valueFrom/configMapKeyRef");
      add("ConfigMap", config.path("name"), config.path("key").asText());
      JsonNode secret = each.at("/valueFrom/secretKeyRef");
      add("Secret", secret.path("name"), secret.path("key").asText());
    }
  }

  private void addVolume(JsonNode volume) {
    add("ConfigMap", volume.at("/configMap/name"), keys(volume.path("configMap")));
    add("Secret", volume.at("/secret/secretName"), keys(volume.path("secret")));
  }

  private static String[] keys(JsonNode source) {
    Set<String> keys = new HashSet<>();
    source.path("items").forEach(item -> keys.add(item.path("key").asText()));
    return keys.toArray(String[]::new);
  }

  private void add(String kind, JsonNode name, String... keys) {
    if (!name.isMissingNode()) {
      references.add(Reference.to(owner, kind, name, keys));
    }
  }
}
