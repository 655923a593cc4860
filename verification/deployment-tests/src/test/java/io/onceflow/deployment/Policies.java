package io.onceflow.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Policies speak of ports that are open at the other end, or at this one. */
final class Policies implements Check {

  @Override
  public List<String> problems(Cluster cluster) {
    List<String> problems = new ArrayList<>();
    for (Manifest policy : cluster.all("NetworkPolicy")) {
      Selector selector = new Selector(policy.at("/spec/podSelector"));
      for (Peer peer : Peer.all(policy)) {
        if (peer.isIngress()) {
          expectOpen(problems, policy, peer, cluster.pods(selector));
        } else if (!peer.isElsewhere()) {
          expectOpen(problems, policy, peer, cluster.pods(peer.selector()));
        }
      }
    }
    return problems;
  }

  private static void expectOpen(
      List<String> problems, Manifest policy, Peer peer, List<Pods> targets) {
    if (peer.ports().isMissingNode()) {
      problems.add("%s allows all ports".formatted(policy));
    }
    for (JsonNode port : peer.ports()) {
      for (Pods target : targets) {
        if (!target.open(port.path("port"))) {
          problems.add(
              "%s: %s does not open port %s".formatted(policy, target.owner(), port.path("port")));
        }
      }
    }
  }
}
