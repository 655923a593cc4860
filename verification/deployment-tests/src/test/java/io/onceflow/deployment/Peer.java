package io.onceflow.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;

/**
 * Whoever one rule of a network policy lets in or out.
 *
 * @param who missing if it is anybody
 * @param ports missing if it is any
 */
record Peer(boolean isIngress, JsonNode who, JsonNode ports) {

  static List<Peer> all(Manifest policy) {
    List<Peer> peers = new ArrayList<>();
    addAll(peers, policy.at("/spec/ingress"), true);
    addAll(peers, policy.at("/spec/egress"), false);
    return peers;
  }

  private static void addAll(List<Peer> peers, JsonNode rules, boolean isIngress) {
    for (JsonNode rule : rules) {
      JsonNode all = rule.path(isIngress ? "from" : "to");
      if (all.isMissingNode()) {
        peers.add(new Peer(isIngress, all, rule.path("ports")));
      }
      all.forEach(each -> peers.add(new Peer(isIngress, each, rule.path("ports"))));
    }
  }

  /** Whether it is outside of the namespace, or anybody. */
  boolean isElsewhere() {
    return !who.has("podSelector") || who.has("namespaceSelector");
  }

  Selector selector() {
    return new Selector(who.path("podSelector"));
  }

  /** Whether these pods are meant, or nobody in particular. */
  boolean covers(Pods pods) {
    return who.isMissingNode() || (!isElsewhere() && selector().matches(pods.labels()));
  }

  /** Whether a port of these pods is among its ports. */
  boolean allows(Pods target, int port) {
    return ports.isMissingNode()
        || StreamSupport.stream(ports.spliterator(), false)
            .anyMatch(each -> target.number(each.path("port")) == port);
  }

  /** What is outside, in short. */
  String describe() {
    if (who.isMissingNode()) {
      return "anywhere";
    }
    if (who.has("ipBlock")) {
      return who.at("/ipBlock/cidr").asText();
    }
    List<String> labels = new ArrayList<>();
    Manifest.labels(who.at("/namespaceSelector/matchLabels"))
        .forEach((key, value) -> labels.add(value.equals("true") ? key : value));
    who.at("/podSelector/matchLabels").forEach(label -> labels.add(label.asText()));
    who.at("/podSelector/matchExpressions").findValues("values").stream()
        .flatMap(values -> StreamSupport.stream(values.spliterator(), false))
        .forEach(value -> labels.add(value.asText()));
    return String.join("/", labels);
  }
}
