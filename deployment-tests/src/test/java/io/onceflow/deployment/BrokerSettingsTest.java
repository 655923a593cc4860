package io.onceflow.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The settings that an operator only passes on. A schema sees a text in them; RabbitMQ does not
 * start with one whose name it does not know.
 */
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
    assumeTrue(dockerAnswers(), "no Docker engine answers");
    Manifest broker = Cluster.of(Overlay.PRODUCTION).all("RabbitmqCluster").getFirst();

    assertThat(start(broker.text("/spec/rabbitmq/additionalConfig"))).isEmpty();
  }

  @Test
  void rabbitMqRefusesASettingThatItDoesNotKnow() throws Exception {
    assumeTrue(dockerAnswers(), "no Docker engine answers");

    assertThat(start("quorum_queue.initial_size = 3\n")).contains("no setting with that name");
  }

  /** What it says if it does not start; empty if it does. */
  private static String start(String settings) throws IOException, InterruptedException {
    List<String> call = new ArrayList<>(List.of("docker", "run", "--rm", "--interactive"));
    call.addAll(List.of("--entrypoint", "bash", IMAGE, "-c", START));
    Process process = new ProcessBuilder(call).redirectErrorStream(true).start();
    try (OutputStream input = process.getOutputStream()) {
      input.write(settings.getBytes(StandardCharsets.UTF_8));
    }
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() == 0 ? "" : said;
  }

  private static boolean dockerAnswers() throws InterruptedException {
    try {
      Process process = new ProcessBuilder("docker", "info").redirectErrorStream(true).start();
      process.getInputStream().readAllBytes();
      return process.waitFor() == 0;
    } catch (IOException e) {
      // There is no docker to ask.
      return false;
    }
  }
}
