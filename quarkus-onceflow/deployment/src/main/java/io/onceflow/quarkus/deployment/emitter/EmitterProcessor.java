package io.onceflow.quarkus.deployment.emitter;

import io.quarkus.arc.deployment.ExcludedTypeBuildItem;
import io.quarkus.arc.deployment.UnremovableBeanBuildItem;
import io.quarkus.arc.deployment.ValidationPhaseBuildItem;
import io.quarkus.arc.deployment.ValidationPhaseBuildItem.ValidationErrorBuildItem;
import io.quarkus.bootstrap.classloading.QuarkusClassLoader;
import io.quarkus.deployment.annotations.BuildProducer;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.deployment.builditem.CombinedIndexBuildItem;
import io.quarkus.deployment.builditem.RunTimeConfigurationDefaultBuildItem;
import jakarta.enterprise.inject.spi.DeploymentException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Finds the channels that the outbox sends to. Reactive Messaging wires their connectors. */
class EmitterProcessor {

  private static final String RUNTIME = "io.onceflow.messaging.emitter.internal.";

  /** Beans that need a library, by a class of it. */
  private static final Map<String, String> OF_CONNECTORS =
      Map.of(
          "KafkaHeaders",
          "io.smallrye.reactive.messaging.kafka.api.OutgoingKafkaRecordMetadata",
          "RabbitProperties",
          "io.smallrye.reactive.messaging.rabbitmq.OutgoingRabbitMQMetadata",
          "RabbitLosses",
          "io.smallrye.reactive.messaging.rabbitmq.OutgoingRabbitMQMetadata");

  @BuildStep
  void find(CombinedIndexBuildItem index, BuildProducer<OutboxEmitterBuildItem> emitters) {
    index.getIndex().getAnnotations(EmitterNames.CHANNEL).stream()
        .filter(OutboxEmitterBuildItem::isOne)
        .map(OutboxEmitterBuildItem::new)
        .forEach(emitters::produce);
  }

  /** An application without such emitters has none of the beans. */
  @BuildStep
  void leaveOut(
      List<OutboxEmitterBuildItem> emitters, BuildProducer<ExcludedTypeBuildItem> excluded) {
    if (emitters.isEmpty()) {
      excluded.produce(new ExcludedTypeBuildItem(RUNTIME + "*"));
    }
    OF_CONNECTORS.forEach(
        (bean, library) -> {
          if (!QuarkusClassLoader.isClassPresentAtRuntime(library)) {
            excluded.produce(new ExcludedTypeBuildItem(RUNTIME + bean));
          }
        });
  }

  /** Reactive Messaging looks for the factory by itself. */
  @BuildStep
  UnremovableBeanBuildItem keepFactory() {
    return UnremovableBeanBuildItem.beanClassNames(RUNTIME + "OutboxEmitterFactory");
  }

  @BuildStep
  void nameChannels(
      List<OutboxEmitterBuildItem> emitters,
      BuildProducer<RunTimeConfigurationDefaultBuildItem> defaults) {
    if (!emitters.isEmpty()) {
      String channels =
          emitters.stream()
              .map(OutboxEmitterBuildItem::channel)
              .distinct()
              .sorted()
              .collect(Collectors.joining(","));
      defaults.produce(
          new RunTimeConfigurationDefaultBuildItem("onceflow.messaging.outgoing", channels));
    }
  }

  @BuildStep
  void check(
      List<OutboxEmitterBuildItem> emitters,
      ValidationPhaseBuildItem validation,
      BuildProducer<ValidationErrorBuildItem> errors) {
    List<String> wrong = EmitterChecks.of(emitters);
    if (!wrong.isEmpty()) {
      errors.produce(
          new ValidationErrorBuildItem(new DeploymentException(String.join("\n", wrong))));
    }
  }
}
