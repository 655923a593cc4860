package io.onceflow.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class OverlaysTest {

  /** By their names. */
  static final Map<String, Check> CHECKS =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("schemas", new Schemas()),
              Map.entry("references", new References()),
              Map.entry("selectors", new Selectors()),
              Map.entry("ports", new Ports()),
              Map.entry("policies", new Policies()),
              Map.entry("alerts", new Alerts()),
              Map.entry("broker tls", new BrokerTls()),
              Map.entry("redis tls", new RedisTls()),
              Map.entry("stripe secrets", new StripeSecrets()),
              Map.entry("broker rights", new BrokerRights()),
              Map.entry("one broker", new OneBroker()),
              Map.entry("kafka topics", new KafkaTopics()),
              Map.entry("kafka rights", new KafkaRights()),
              Map.entry("kafka tls", new KafkaTls()),
              Map.entry("kafka pod security", new KafkaPodSecurity()),
              Map.entry("broker pod security", new BrokerPodSecurity()),
              Map.entry("watched secrets", new WatchedSecrets()),
              Map.entry("addresses", new Addresses()),
              Map.entry("environments", new Environments()),
              Map.entry("queues", new Queues()),
              Map.entry("scaling", new Scaling()),
              Map.entry("memory", new Memory()),
              Map.entry("migrations", new Migrations()),
              Map.entry("pod security", new PodSecurity()),
              Map.entry("provided", new Provided())));

  static Stream<Arguments> everyCheckOfEveryOverlay() {
    return Stream.of(Overlay.values())
        .flatMap(overlay -> CHECKS.keySet().stream().map(check -> Arguments.of(overlay, check)));
  }

  @ParameterizedTest
  @MethodSource("everyCheckOfEveryOverlay")
  void noOverlayHasAMistake(Overlay overlay, String check) {
    assertThat(CHECKS.get(check).problems(Cluster.of(overlay))).isEmpty();
  }
}
