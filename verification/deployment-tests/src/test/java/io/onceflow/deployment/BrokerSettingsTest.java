package io.onceflow.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The settings that an operator only passes on. A schema sees a text in them; RabbitMQ does not
 * start with one whose name it does not know.
 */
@Tag("nightly")
class BrokerSettingsTest {

  /** As in docker-compose.yml. */
  private static final String IMAGE = "rabbitmq:4-management";

  /** Starts it with the settings of its standard input, and ends well once it has started. */
  private static final String START =
      """
      cat >/etc/rabbitmq/conf.d/20-onceflow.conf
      docker-entrypoint.sh rabbitmq-server >/tmp/log 2>&1 &
      until grep -q 'Server startup complete' /tmp/log; do
        kill -0 $! || { cat /tmp/log; exit 1; }
        sleep 0.2
      done
      """;

  @Test
  void rabbitMqStartsWithTheSettingsOfProduction() throws Exception {
    assumeTrue(Docker.answers(), "no Docker engine answers");
    Manifest broker = Cluster.of(Overlay.PRODUCTION).all("RabbitmqCluster").getFirst();

    assertThat(start(broker.text("/spec/rabbitmq/additionalConfig"))).isEmpty();
  }

  @Test
  void rabbitMqRefusesASettingThatItDoesNotKnow() throws Exception {
    assumeTrue(Docker.answers(), "no Docker engine answers");

    assertThat(start("quorum_queue.initial_size = 3\n")).contains("no setting with that name");
  }

  /** What it says if it does not start; empty if it does. */
  private static String start(String settings) throws IOException, InterruptedException {
    Docker.Ended broker =
        Docker.call(
            settings,
            Map.of(),
            "run",
            "--rm",
            "--interactive",
            "--entrypoint",
            "bash",
            IMAGE,
            "-c",
            START);
    return broker.succeeded() ? "" : broker.said();
  }
}
