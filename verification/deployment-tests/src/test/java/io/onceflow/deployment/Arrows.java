package io.onceflow.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Who may talk to whom by the network policies: both ends have to allow it. Pods that no policy is
 * about may talk to anybody, which shows as {@code *}.
 */
record Arrows(Cluster cluster) {

  /** Such as {@code order-service -> postgres:5432}. */
  Set<String> all() {
    Set<String> arrows = new TreeSet<>();
    for (Pods pods : cluster.pods()) {
      for (Pods target : cluster.pods()) {
        for (int port : target.ports().values()) {
          if (allows(pods, target, port)) {
            arrows.add("%s -> %s:%d".formatted(pods.owner(), target.owner(), port));
          }
        }
      }
      addOutside(arrows, pods);
      addUnguarded(arrows, pods);
    }
    return arrows;
  }

  boolean allows(Pods from, Pods target, int port) {
    return allows(from, target, target, port, "Egress")
        && allows(target, from, target, port, "Ingress");
  }

  private boolean allows(Pods pods, Pods other, Pods target, int port, String direction) {
    List<Manifest> about = policies(pods, direction);
    boolean isIngress = direction.equals("Ingress");
    return about.isEmpty()
        || about.stream()
            .flatMap(policy -> Peer.all(policy).stream())
            .filter(peer -> peer.isIngress() == isIngress)
            .anyMatch(peer -> peer.covers(other) && peer.allows(target, port));
  }

  private List<Manifest> policies(Pods pods, String direction) {
    return cluster.policies().stream()
        .filter(policy -> new Selector(policy.at("/spec/podSelector")).matches(pods.labels()))
        .filter(policy -> policy.at("/spec/policyTypes").toString().contains(direction))
        .toList();
  }

  private void addOutside(Set<String> arrows, Pods pods) {
    for (Manifest policy : policies(pods, "gress")) {
      for (Peer peer : Peer.all(policy)) {
        if (peer.isElsewhere()) {
          peer.ports().forEach(port -> arrows.add(outside(pods, peer, port.path("port"))));
        }
      }
    }
  }

  private static String outside(Pods pods, Peer peer, JsonNode port) {
    return peer.isIngress()
        ? "(%s) -> %s:%d".formatted(peer.describe(), pods.owner(), pods.number(port))
        : "%s -> (%s):%s".formatted(pods.owner(), peer.describe(), port.asText());
  }

  private void addUnguarded(Set<String> arrows, Pods pods) {
    if (policies(pods, "Ingress").isEmpty()) {
      arrows.add("* -> %s".formatted(pods.owner()));
    }
    if (policies(pods, "Egress").isEmpty()) {
      arrows.add("%s -> *".formatted(pods.owner()));
    }
  }
}
