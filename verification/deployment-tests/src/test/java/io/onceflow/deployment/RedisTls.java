package io.onceflow.deployment;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * A service that is told of a Redis calls it by TLS, by a name that its certificate holds, trusts
 * its authority alone, and has the key by which it knows its own records; one that keeps keys in
 * Redis is told of one.
 */
final class RedisTls implements Check {

  private final List<String> problems = new ArrayList<>();

  @Override
  public List<String> problems(Cluster cluster) {
    problems.clear();
    for (Manifest service : cluster.services()) {
      Map<String, String> settings = cluster.settings(service);
      String hosts = settings.get("QUARKUS_REDIS_HOSTS");
      String store = settings.getOrDefault("ONCEFLOW_IDEMPOTENCY_STORE", "postgres");
      expect(
          service, "uses the Redis that it is told of", hosts == null == store.equals("postgres"));
      if (hosts != null) {
        checkClient(cluster, service, URI.create(hosts), settings);
      }
    }
    return List.copyOf(problems);
  }

  private void checkClient(
      Cluster cluster, Manifest service, URI redis, Map<String, String> settings) {
    expect(service, "calls Redis by TLS", redis.getScheme().equals("rediss"));
    Set<String> names = names(cluster, redis.getHost().split("\\.")[0]);
    if (!names.contains(redis.getHost())) {
      problems.add(
          "%s calls Redis %s, and its certificate is for %s"
              .formatted(service, redis.getHost(), names));
    }
    // Under another name no verification of the host's name is configured
    // (docs/operations/security.md#redis).
    expect(
        service,
        "verifies who Redis is",
        "redis".equals(settings.get("QUARKUS_REDIS_TLS_CONFIGURATION_NAME")));
    String authority = settings.getOrDefault("QUARKUS_TLS_REDIS_TRUST_STORE_PEM_CERTS", "");
    expect(service, "has the file of Redis's authority", SecretFiles.has(service, authority));
    for (String secret :
        List.of("QUARKUS_REDIS_PASSWORD", "ONCEFLOW_IDEMPOTENCY_REDIS_INTEGRITY_KEY")) {
      expect(service, "has " + secret + " from a Secret", isFromSecret(service, secret));
    }
  }

  /** That the certificates hold which the pods of this name are given. */
  private static Set<String> names(Cluster cluster, String server) {
    Set<String> secrets =
        cluster.find("Deployment", server).stream()
            .flatMap(it -> it.podSpec().path("volumes").findValuesAsText("secretName").stream())
            .collect(Collectors.toSet());
    return cluster.all("Certificate").stream()
        .filter(it -> secrets.contains(it.text("/spec/secretName")))
        .flatMap(it -> StreamSupport.stream(it.at("/spec/dnsNames").spliterator(), false))
        .map(name -> name.asText())
        .collect(Collectors.toSet());
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
