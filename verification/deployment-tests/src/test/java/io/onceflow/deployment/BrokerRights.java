package io.onceflow.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import io.onceflow.deployment.kustomize.Yaml;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Where the broker's users are objects, they may do what {@code deploy/rabbitmq/definitions.json}
 * lets them, and no more. A user that it does not know, such as a scaler's, has no rights.
 */
final class BrokerRights implements Check {

  /** Matches the empty name alone, which nothing has. */
  private static final String NOTHING = "^$";

  @Override
  public List<String> problems(Cluster cluster) {
    if (cluster.all("RabbitmqCluster").isEmpty()) {
      return List.of();
    }
    Set<Right> ours = rights(cluster).filter(Right::isSome).collect(Collectors.toSet());
    Set<Right> theirs = defined().collect(Collectors.toSet());
    List<String> problems = new ArrayList<>();
    missing(theirs, ours)
        .forEach(
            right -> problems.add("definitions.json has %s, the overlay has not".formatted(right)));
    missing(ours, theirs)
        .forEach(
            right -> problems.add("the overlay has %s, definitions.json has not".formatted(right)));
    return problems;
  }

  /** Of all services, to names and to routing keys; not the administrator's. */
  private static Stream<Right> defined() {
    JsonNode definitions =
        Yaml.tree(Overlay.read(Overlay.root().resolve("deploy/rabbitmq/definitions.json")));
    return Stream.of("permissions", "topic_permissions")
        .flatMap(list -> StreamSupport.stream(definitions.path(list).spliterator(), false))
        .filter(each -> !each.path("user").asText().startsWith("$"))
        .map(each -> Right.of(each, each.path("user").asText(), each.path("vhost").asText()));
  }

  private static Stream<Right> rights(Cluster cluster) {
    return Stream.of("Permission", "TopicPermission")
        .flatMap(kind -> cluster.all(kind).stream())
        .map(each -> Right.of(each.at("/spec/permissions"), user(each), each.text("/spec/vhost")));
  }

  /** Named as its object, which the document with its password has to keep to. */
  private static String user(Manifest permission) {
    return permission.text("/spec/userReference/name");
  }

  private static Set<Right> missing(Set<Right> from, Set<Right> there) {
    Set<Right> missing = new HashSet<>(from);
    missing.removeAll(there);
    return missing;
  }

  /**
   * A user's rights to names, or to routing keys.
   *
   * @param exchange that the keys are of; empty if the rights are to names of exchanges and queues
   */
  record Right(
      String user, String vhost, String exchange, String configure, String write, String read) {

    static Right of(JsonNode rights, String user, String vhost) {
      return new Right(
          user,
          vhost,
          rights.path("exchange").asText(),
          rights.path("configure").asText(),
          rights.path("write").asText(),
          rights.path("read").asText());
    }

    /** Whether there is anything that it lets its user do, or it is a limit to keys. */
    boolean isSome() {
      return !exchange.isEmpty()
          || !(configure.equals(NOTHING) && write.equals(NOTHING) && read.equals(NOTHING));
    }
  }
}
