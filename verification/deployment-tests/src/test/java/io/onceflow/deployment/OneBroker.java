package io.onceflow.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** An overlay on Kafka has nothing of RabbitMQ, and images that are built for its broker. */
final class OneBroker implements Check {

  private static final Pattern OF_RABBITMQ = Pattern.compile("rabbit|amqp|onceflow_broker_");

  @Override
  public List<String> problems(Cluster cluster) {
    boolean isOnKafka = !cluster.all("Kafka").isEmpty();
    List<String> problems = new ArrayList<>();
    for (Manifest service : cluster.services()) {
      for (JsonNode container : service.containers()) {
        String image = container.path("image").asText();
        if (image.endsWith("-kafka") != isOnKafka) {
          problems.add("%s has the image %s of another broker".formatted(service, image));
        }
      }
    }
    if (isOnKafka) {
      for (Manifest manifest : cluster.manifests()) {
        String text = manifest.json().toString().toLowerCase(Locale.ROOT);
        if (OF_RABBITMQ.matcher(text).find()) {
          problems.add("%s is RabbitMQ's, in part or as a whole".formatted(manifest));
        }
      }
    }
    return problems;
  }
}
