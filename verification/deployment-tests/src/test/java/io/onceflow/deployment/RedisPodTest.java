package io.onceflow.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pod of components/redis runs with the rights, the bounds and the files that it is given. */
@Tag("nightly")
class RedisPodTest {

  private static final Cluster CLUSTER = Cluster.of(Overlay.CACHED);
  private static Certificate certificate;

  @BeforeAll
  static void makeItsCertificate(@TempDir Path folder) throws Exception {
    assumeTrue(Docker.answers(), "no Docker engine answers");
    certificate = Certificate.of(List.of("redis.onceflow.svc", "localhost"), folder);
  }

  @Test
  void startsIsReadyAndStaysAlive() throws Exception {
    try (RedisPod pod = RedisPod.start(CLUSTER, certificate)) {
      assertThat(pod.awaitStarted().succeeded()).as(pod.log()).isTrue();
      assertThat(pod.probe("readinessProbe").succeeded()).isTrue();
      assertThat(pod.probe("livenessProbe").succeeded()).isTrue();
    }
  }

  @Test
  void isNoLongerAliveOnceItsCertificateHasBeenRenewed() throws Exception {
    try (RedisPod pod = RedisPod.start(CLUSTER, certificate)) {
      assertThat(pod.awaitStarted().succeeded()).as(pod.log()).isTrue();
      pod.exec("sh", "-c", "echo renewed >>/tls/tls.crt");

      assertThat(pod.probe("livenessProbe").succeeded()).isFalse();
    }
  }

  @Test
  void listensByTlsAloneAndKnowsTheGuardsKeysAlone() throws Exception {
    try (RedisPod pod = RedisPod.start(CLUSTER, certificate)) {
      assertThat(pod.awaitStarted().succeeded()).as(pod.log()).isTrue();

      assertThat(pod.exec("redis-cli", "ping").said()).doesNotContain("PONG");
      assertThat(cli(pod, "del", "onceflow:idempotency:k")).isEqualTo("0");
      assertThat(cli(pod, "del", "k")).contains("NOPERM");
      assertThat(cli(pod, "flushall")).contains("NOPERM");
    }
  }

  private static String cli(RedisPod pod, String... command) throws Exception {
    String tls = "redis-cli --tls --cacert /tls/ca.crt -h localhost ";
    return pod.exec("sh", "-c", tls + String.join(" ", command)).said().strip();
  }
}
