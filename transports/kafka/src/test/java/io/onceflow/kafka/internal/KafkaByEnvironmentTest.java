package io.onceflow.kafka.internal;

import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;
import static org.apache.kafka.common.resource.ResourceType.GROUP;
import static org.apache.kafka.common.resource.ResourceType.TOPIC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.inbox.internal.consumer.MessageSource;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import io.onceflow.outbox.internal.transport.Publisher.Published;
import io.quarkus.kafka.client.runtime.KafkaRuntimeConfigProducer;
import io.quarkus.runtime.ApplicationConfig;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A broker with mutual TLS and access control, services that know it by the environment alone, and
 * the rights of {@code deploy/kubernetes/components/kafka/users.yaml}: to read the own topic and
 * group, to write to where messages are sent, and nothing else.
 */
@Tag("nightly")
class KafkaByEnvironmentTest {

  private static final String COMMANDS = "onceflow.commands.flight";
  private static final String REPLIES = "onceflow.replies.trips";
  private static final String GROUP_OF_FLIGHTS = "flight-service.commands";
  private static final Duration SOON = Duration.ofSeconds(60);

  @TempDir static Path folder;

  private static PemIdentity broker;
  private static PemIdentity trips;
  private static PemIdentity flights;
  private static PemIdentity stranger;
  private static KafkaInProcess kafka;

  private final List<KafkaClients> opened = new ArrayList<>();
  private final KafkaState state = new KafkaState();

  @BeforeAll
  static void startKafka() throws Exception {
    broker = PemIdentity.of("localhost", folder);
    trips = PemIdentity.of("trips", folder);
    flights = PemIdentity.of("flight-service", folder);
    stranger = PemIdentity.of("stranger", folder);
    kafka =
        KafkaInProcess.begin(
            "SSL",
            Map.ofEntries(
                Map.entry("ssl.client.auth", "required"),
                Map.entry("ssl.keystore.type", "PEM"),
                Map.entry("ssl.keystore.certificate.chain", broker.certificate()),
                Map.entry("ssl.keystore.key", broker.key()),
                Map.entry("ssl.truststore.type", "PEM"),
                Map.entry(
                    "ssl.truststore.certificates",
                    broker.certificate() + trips.certificate() + flights.certificate()),
                Map.entry(
                    "authorizer.class.name",
                    "org.apache.kafka.metadata.authorizer.StandardAuthorizer"),
                Map.entry("super.users", "User:CN=localhost;User:ANONYMOUS")));
    administer();
  }

  /** As Strimzi's operators do with topics.yaml and users.yaml. */
  private static void administer() throws Exception {
    KafkaClients administrator = clients(broker);
    try {
      administrator
          .admin()
          .createTopics(
              List.of(new NewTopic(COMMANDS, 2, (short) 1), new NewTopic(REPLIES, 2, (short) 1)))
          .all()
          .get();
    } finally {
      administrator.close();
    }
    give(
        right("trips", WRITE, TOPIC, COMMANDS),
        right("flight-service", READ, TOPIC, COMMANDS),
        right("flight-service", READ, GROUP, GROUP_OF_FLIGHTS),
        right("flight-service", WRITE, TOPIC, REPLIES));
  }

  private static void give(AclBinding... rights) throws Exception {
    KafkaClients administrator = clients(broker);
    try {
      administrator.admin().createAcls(List.of(rights)).all().get();
    } finally {
      administrator.close();
    }
  }

  private static AclBinding right(
      String user, AclOperation operation, ResourceType type, String resource) {
    return new AclBinding(
        new ResourcePattern(type, resource, PatternType.LITERAL),
        new AccessControlEntry("User:CN=" + user, "*", operation, AclPermissionType.ALLOW));
  }

  @AfterAll
  static void stopKafka() {
    kafka.close();
  }

  @AfterEach
  void closeClients() {
    opened.forEach(KafkaClients::close);
  }

  @Test
  void theEnvironmentOfThePodsAndTheLeastRightsAreEnough() throws Exception {
    MessageSource.Queue queue =
        new MessageSource.Queue(GROUP_OF_FLIGHTS, OutboxMessage.COMMANDS, List.of("flight.#"));
    try (Replica replica = new Replica(source(flights), queue)) {
      OutboxMessage command = message(OutboxMessage.COMMANDS, "flight.reserve");

      assertThat(sent(trips, command).confirmed()).containsExactly(command.id());

      await().atMost(SOON).until(() -> replica.payloads().contains("{}"));
    }
    OutboxMessage reply = message(OutboxMessage.REPLIES, "trips.flight-service");
    assertThat(sent(flights, reply).confirmed()).containsExactly(reply.id());
    assertThat(state.refusal()).isEmpty();
  }

  @Test
  void aTopicThatAServiceReadsIsNotOneThatItMayWriteTo() throws Exception {
    OutboxMessage forged = message(OutboxMessage.COMMANDS, "flight.reserve");

    assertThat(sent(flights, forged).confirmed()).isEmpty();
  }

  /** An event needs no consumer, but a topic that is hidden may have one. */
  @ParameterizedTest
  @ValueSource(strings = {OutboxMessage.REPLIES, OutboxMessage.EVENTS})
  void aTopicThatIsNoneOfItsBusinessRefusesTheMessagesForItAlone(String exchange) throws Exception {
    OutboxMessage other = message(exchange, "trips.hotel-service");
    OutboxMessage command = message(OutboxMessage.COMMANDS, "flight.reserve");

    Published published = sent(trips, other, command);

    assertThat(published.confirmed()).containsExactly(command.id());
    assertThat(published.refused().get(other.id())).contains("Topic authorization failed");
    assertThat(state.refusal()).isPresent();
  }

  @Test
  void aGroupThatIsNotItsOwnRefusesTheServiceUntilItMayReadAsThat() throws Exception {
    String other = "other-service.commands";
    MessageSource.Queue queue =
        new MessageSource.Queue(other, OutboxMessage.COMMANDS, List.of("flight.#"));
    try (Replica replica = new Replica(source(flights), queue)) {
      await().atMost(SOON).until(() -> state.refusal().isPresent());
      assertThat(state.refusal().orElseThrow()).contains(other);

      give(right("flight-service", READ, GROUP, other));

      await().atMost(SOON).until(() -> state.refusal().isEmpty());
      sent(trips, message(OutboxMessage.COMMANDS, "flight.reserve"));
      await().atMost(SOON).until(() -> replica.payloads().contains("{}"));
    }
  }

  @Test
  void aCertificateThatNobodyHasSignedOpensNothing() {
    assertThatThrownBy(() -> sent(stranger, message(OutboxMessage.COMMANDS, "flight.reserve")))
        .isInstanceOf(IOException.class);
  }

  private Published sent(PemIdentity who, OutboxMessage... messages) throws Exception {
    KafkaClients clients = clients(who);
    opened.add(clients);
    KafkaTransport transport = new KafkaTransport(clients, topics(clients), state);
    try (KafkaChannel channel = transport.openChannel(SOON)) {
      channel.write(OutgoingMessage.each(List.of(messages)), SOON);
      return channel.await(SOON);
    }
  }

  private KafkaSource source(PemIdentity who) {
    KafkaClients clients = clients(who);
    opened.add(clients);
    return new KafkaSource(
        clients,
        topics(clients),
        state,
        new TestKafkaConfig.Ahead(32, 256 * 1024),
        new SimpleMeterRegistry());
  }

  private KafkaTopics topics(KafkaClients clients) {
    return new KafkaTopics(clients, state, new TestKafkaConfig(false, 1));
  }

  /** By what Quarkus makes of the variables that components/kafka puts into a pod. */
  private static KafkaClients clients(PemIdentity who) {
    Map<String, String> environment = new HashMap<>();
    environment.put("KAFKA_BOOTSTRAP_SERVERS", kafka.address());
    environment.put("KAFKA_SECURITY_PROTOCOL", "SSL");
    environment.put("KAFKA_SSL_TRUSTSTORE_TYPE", "PEM");
    environment.put("KAFKA_SSL_TRUSTSTORE_CERTIFICATES", broker.certificate());
    environment.put("KAFKA_SSL_KEYSTORE_TYPE", "PEM");
    environment.put("KAFKA_SSL_KEYSTORE_CERTIFICATE_CHAIN", who.certificate());
    environment.put("KAFKA_SSL_KEYSTORE_KEY", who.key());
    return new KafkaClients(
        new KafkaRuntimeConfigProducer()
            .createKafkaRuntimeConfig(
                new SmallRyeConfigBuilder()
                    .withSources(new EnvConfigSource(environment, 300))
                    .build(),
                new Unnamed()),
        new TestKafkaConfig(false, 1));
  }

  private static OutboxMessage message(String exchange, String routingKey) {
    return new OutboxMessage(
        UUID.randomUUID(),
        "trip",
        "trip-1",
        "ReserveFlight",
        "{}",
        exchange,
        routingKey,
        "saga-1",
        "trips",
        Map.of());
  }

  /** An application whose name says nothing about its clients. */
  private static final class Unnamed implements ApplicationConfig {

    @Override
    public Optional<String> name() {
      return Optional.empty();
    }

    @Override
    public Optional<String> version() {
      return Optional.empty();
    }

    @Override
    public Optional<String> uiHeader() {
      return Optional.empty();
    }
  }
}
