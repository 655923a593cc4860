package io.onceflow.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What is set in a service's environment is something that it reads. A misspelt name would be
 * passed over in silence, and the default would stand.
 */
final class Environments implements Check {

  /** Read by the services, and not in their application.properties, where they have no default. */
  private static final Set<String> WITHOUT_DEFAULT =
      Set.of(
          "MP_JWT_VERIFY_PUBLICKEY_LOCATION",
          "QUARKUS_INIT_AND_EXIT",
          "QUARKUS_FLYWAY_VALIDATE_AT_START",
          // Read by the JVM.
          Compose.JAVA_OPTIONS,
          "QUARKUS_FLYWAY_IGNORE_MIGRATION_PATTERNS",
          "ONCEFLOW_SAGAS_URL",
          "ONCEFLOW_GATEWAY",
          "ONCEFLOW_STRIPE_API_KEY",
          "ONCEFLOW_STRIPE_WEBHOOK_SECRETS",
          "QUARKUS_OTEL_EXPORTER_OTLP_ENDPOINT",
          // Read by Kafka's clients (KafkaByEnvironmentTest).
          "KAFKA_BOOTSTRAP_SERVERS",
          "KAFKA_SECURITY_PROTOCOL",
          "KAFKA_SSL_TRUSTSTORE_TYPE",
          "KAFKA_SSL_TRUSTSTORE_CERTIFICATES",
          "KAFKA_SSL_KEYSTORE_TYPE",
          "KAFKA_SSL_KEYSTORE_CERTIFICATE_CHAIN",
          "KAFKA_SSL_KEYSTORE_KEY",
          "RABBITMQ_HOST",
          "RABBITMQ_PORT",
          "RABBITMQ_USERNAME",
          "RABBITMQ_PASSWORD",
          "ONCEFLOW_BROKER_DECLARE",
          "ONCEFLOW_BROKER_MANAGEMENT",
          "ONCEFLOW_BROKER_TLS_ENABLED",
          "ONCEFLOW_BROKER_TLS_CA",
          "ONCEFLOW_IDEMPOTENCY_STORE",
          "ONCEFLOW_IDEMPOTENCY_REDIS_INTEGRITY_KEY",
          "QUARKUS_REDIS_HOSTS",
          "QUARKUS_REDIS_PASSWORD",
          "QUARKUS_REDIS_TLS_CONFIGURATION_NAME",
          "QUARKUS_TLS_REDIS_TRUST_STORE_PEM_CERTS");

  @Override
  public List<String> problems(Cluster cluster) {
    List<String> problems = new ArrayList<>();
    for (Manifest service : cluster.ours()) {
      Set<String> unknown = new HashSet<>(names(cluster, service));
      unknown.removeAll(ServiceSettings.of(service.application()).environment());
      unknown.removeAll(WITHOUT_DEFAULT);
      unknown.forEach(name -> problems.add("%s does not read %s".formatted(service, name)));
    }
    return problems;
  }

  private static Set<String> names(Cluster cluster, Manifest service) {
    Set<String> names = new HashSet<>();
    for (JsonNode container : service.containers()) {
      container.path("env").forEach(each -> names.add(each.path("name").asText()));
      for (JsonNode source : container.path("envFrom")) {
        names.addAll(
            cluster
                .keys("ConfigMap")
                .getOrDefault(source.at("/configMapRef/name").asText(), Set.of()));
      }
    }
    return names;
  }
}
