package io.onceflow.quarkus.deployment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.inbox.internal.consumer.MessageSource.Queue;
import io.onceflow.rabbitmq.internal.RabbitQueue;
import io.quarkus.deployment.annotations.BuildProducer;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.deployment.builditem.ApplicationInfoBuildItem;
import io.quarkus.deployment.builditem.CombinedIndexBuildItem;
import io.quarkus.deployment.builditem.GeneratedResourceBuildItem;
import io.quarkus.deployment.builditem.RunTimeConfigurationDefaultBuildItem;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jboss.jandex.IndexView;

/**
 * Writes into the artifact what the application needs of its broker: its queues and the routing
 * keys that it sends. {@code ./onceflow topology} makes a broker's definitions from it.
 */
class TopologyProcessor {

  private static final String FILE = "META-INF/onceflow/topology.json";

  private static final String SENDS = "onceflow.broker.sends.";
  private static final String COMMANDS = "commands";
  private static final String REPLIES = "replies";

  /** Before the names of exchanges. */
  private static final String PREFIX = "onceflow.";

  /**
   * What is written.
   *
   * @param application its name, which is that of its user at the broker
   * @param queues that it reads; the keys are patterns of AMQP
   * @param deadLetters the queue of what the broker takes out of the others
   * @param sends patterns of routing keys by exchange
   */
  record Topology(
      String application,
      List<Queue> queues,
      String deadLetters,
      Map<String, List<String>> sends) {}

  /** By what the application is made of; settings of the same names win. */
  @BuildStep
  void sendByDefault(
      CombinedIndexBuildItem index,
      List<HandlerMethodBuildItem> handlers,
      BuildProducer<RunTimeConfigurationDefaultBuildItem> defaults) {
    sentByDefault("${quarkus.application.name}", index.getIndex(), handlers)
        .forEach(
            (exchange, keys) ->
                defaults.produce(
                    new RunTimeConfigurationDefaultBuildItem(
                        SENDS + exchange, String.join(",", keys))));
  }

  /** An application whose messages stay within it needs nothing of a broker. */
  @BuildStep
  void write(
      ApplicationInfoBuildItem application,
      OnceflowTransportConfig transport,
      CombinedIndexBuildItem index,
      List<HandlerMethodBuildItem> handlers,
      BuildProducer<GeneratedResourceBuildItem> resources) {
    if (transport.name().equals("local")) {
      return;
    }
    String name = application.getName();
    List<Queue> queues = queues(name, index.getIndex(), handlers);
    Map<String, List<String>> sends = sentByDefault(name, index.getIndex(), handlers);
    sends.putAll(configured(ConfigProvider.getConfig()));
    Topology topology =
        new Topology(name, queues, RabbitQueue.deadLettersOf(name), ofExchanges(sends));
    resources.produce(new GeneratedResourceBuildItem(FILE, json(topology)));
  }

  private static List<Queue> queues(
      String application, IndexView index, List<HandlerMethodBuildItem> handlers) {
    List<Queue> queues = new ArrayList<>();
    if (!handlers.isEmpty()) {
      queues.add(Queue.ofCommands(application, OnceflowProcessor.bindings(index, handlers)));
    }
    if (SagaFeature.areIn(index)) {
      queues.add(Queue.ofReplies(application));
    }
    return queues;
  }

  /** Of an application that leads sagas, all commands that are in it: a saga may send each. */
  private static Map<String, List<String>> sentByDefault(
      String application, IndexView index, List<HandlerMethodBuildItem> handlers) {
    Map<String, List<String>> sends = new TreeMap<>();
    if (!handlers.isEmpty()) {
      sends.put(REPLIES, List.of("*." + application));
    }
    if (SagaFeature.areIn(index)) {
      sends.put(
          COMMANDS,
          OnceflowProcessor.bindings(
              index.getAnnotations(Names.COMMAND).stream().map(it -> it.target().asClass())));
    }
    return sends;
  }

  private static Map<String, List<String>> configured(Config config) {
    return StreamSupport.stream(config.getPropertyNames().spliterator(), false)
        .filter(key -> key.startsWith(SENDS))
        .collect(
            Collectors.toMap(
                key -> key.substring(SENDS.length()).replace("\"", ""),
                key -> config.getOptionalValues(key, String.class).orElse(List.of())));
  }

  private static Map<String, List<String>> ofExchanges(Map<String, List<String>> sends) {
    Map<String, List<String>> byName = new TreeMap<>();
    sends.forEach(
        (exchange, keys) -> {
          if (!keys.isEmpty()) {
            byName.put(PREFIX + exchange, keys);
          }
        });
    return byName;
  }

  private static byte[] json(Topology topology) {
    DefaultIndenter lines = new DefaultIndenter("  ", "\n");
    DefaultPrettyPrinter layout =
        new DefaultPrettyPrinter().withObjectIndenter(lines).withArrayIndenter(lines);
    try {
      String text = new ObjectMapper().writer(layout).writeValueAsString(topology) + "\n";
      return text.getBytes(StandardCharsets.UTF_8);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
