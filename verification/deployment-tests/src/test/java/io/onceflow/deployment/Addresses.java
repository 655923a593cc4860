package io.onceflow.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What the services are told to call is there, on that port, and the network policies let them. A
 * host with a dot in its name is outside of the namespace and not looked for, unless it is a
 * Service's full name; to one of another namespace there has to be a way out.
 */
final class Addresses implements Check {

  @Override
  public List<String> problems(Cluster cluster) {
    List<String> problems = new ArrayList<>();
    for (Manifest service : cluster.services()) {
      for (URI address : called(cluster, service)) {
        check(cluster, service, address, problems);
      }
    }
    for (Manifest scaled : cluster.all("ScaledObject")) {
      for (JsonNode host : scaled.json().findValues("host")) {
        expectService(cluster, scaled, URI.create(host.asText()), problems);
      }
      for (JsonNode servers : scaled.json().findValues("bootstrapServers")) {
        expectService(cluster, scaled, URI.create("kafka://" + servers.asText()), problems);
      }
    }
    return problems;
  }

  private static List<URI> called(Cluster cluster, Manifest service) {
    Map<String, String> settings = cluster.settings(service);
    List<URI> called = new ArrayList<>();
    for (String value : settings.values()) {
      if (value.matches("(jdbc|https?|rediss?):.*")) {
        called.add(URI.create(value.replaceFirst("^jdbc:", "")));
      }
    }
    called.add(broker(settings));
    return called;
  }

  private static URI broker(Map<String, String> settings) {
    String kafka = settings.get("KAFKA_BOOTSTRAP_SERVERS");
    return kafka != null
        ? URI.create("kafka://" + kafka)
        : URI.create(
            "amqp://%s:%s".formatted(settings.get("RABBITMQ_HOST"), settings.get("RABBITMQ_PORT")));
  }

  private static void check(Cluster cluster, Manifest service, URI address, List<String> problems) {
    String host = ownName(address);
    if (host.endsWith(".svc")) {
      expectWayOut(cluster, service, address, problems);
    }
    if (host.contains(".")) {
      return;
    }
    expectService(cluster, service, address, problems);
    Arrows arrows = new Arrows(cluster);
    Pods pods = Pods.of(service);
    for (Pods target : behind(cluster, host)) {
      if (!arrows.allows(pods, target, address.getPort())) {
        problems.add(
            "%s is told to call %s:%d, and no policy lets it reach %s"
                .formatted(service, host, address.getPort(), target.owner()));
      }
    }
  }

  private static void expectWayOut(
      Cluster cluster, Manifest service, URI address, List<String> problems) {
    String namespace = address.getHost().split("\\.")[1];
    String to = "%s -> (%s".formatted(service.name(), namespace);
    boolean isLet =
        new Arrows(cluster)
            .all().stream()
                .anyMatch(each -> each.startsWith(to) && each.endsWith("):" + address.getPort()));
    if (!isLet) {
      problems.add("%s is told to call %s, and no policy lets it".formatted(service, address));
    }
  }

  private static void expectService(
      Cluster cluster, Manifest caller, URI address, List<String> problems) {
    String host = ownName(address);
    boolean isThere =
        cluster.reachable().stream()
            .anyMatch(
                each -> each.name().equals(host) && each.ports().containsValue(address.getPort()));
    if (!isThere) {
      problems.add(
          "%s calls %s:%d, which is no Service".formatted(caller, host, address.getPort()));
    }
  }

  /** A Service's own name, which its full name begins with. */
  private static String ownName(URI address) {
    return address.getHost().replaceFirst("\\.onceflow\\.svc$", "");
  }

  /** The pods of a Service; an operator's are known by the object that they were made of. */
  private static List<Pods> behind(Cluster cluster, String host) {
    return cluster
        .find("Service", host)
        .map(service -> cluster.pods(Selector.ofLabels(service.at("/spec/selector"))))
        .orElseGet(
            () ->
                cluster.pods().stream()
                    .filter(
                        pods -> pods.owner().equals(host.replaceFirst("-(r[wo]?|bootstrap)$", "")))
                    .toList());
  }
}
