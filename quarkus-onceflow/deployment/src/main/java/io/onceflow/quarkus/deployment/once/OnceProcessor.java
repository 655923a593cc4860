package io.onceflow.quarkus.deployment.once;

import io.quarkus.arc.deployment.AnnotationsTransformerBuildItem;
import io.quarkus.arc.deployment.ExcludedTypeBuildItem;
import io.quarkus.arc.deployment.GeneratedBeanBuildItem;
import io.quarkus.arc.deployment.GeneratedBeanGizmoAdaptor;
import io.quarkus.arc.deployment.UnremovableBeanBuildItem;
import io.quarkus.arc.deployment.ValidationPhaseBuildItem;
import io.quarkus.arc.deployment.ValidationPhaseBuildItem.ValidationErrorBuildItem;
import io.quarkus.bootstrap.classloading.QuarkusClassLoader;
import io.quarkus.deployment.annotations.BuildProducer;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.deployment.builditem.CombinedIndexBuildItem;
import io.quarkus.deployment.builditem.RunTimeConfigurationDefaultBuildItem;
import io.quarkus.deployment.builditem.nativeimage.ReflectiveClassBuildItem;
import jakarta.enterprise.inject.spi.DeploymentException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jboss.jandex.AnnotationTransformation;

/** Has the inbox subscribe to the channels of {@code @Once} methods in their place. */
class OnceProcessor {

  private static final String MESSAGING = "io.onceflow.messaging.";
  private static final String RUNTIME = MESSAGING + "once.internal.";

  /** Beans that need a library, by a class of it. */
  private static final Map<String, String> OF_CONNECTORS =
      Map.of(
          "once.internal.KafkaAttributes",
          "io.smallrye.reactive.messaging.kafka.api.IncomingKafkaRecordMetadata",
          "once.internal.RabbitAttributes",
          "io.smallrye.reactive.messaging.rabbitmq.IncomingRabbitMQMetadata",
          "once.internal.RabbitAcknowledgements",
          "io.smallrye.reactive.messaging.rabbitmq.IncomingRabbitMQMetadata",
          "settings.internal.RabbitClients",
          "io.smallrye.reactive.messaging.rabbitmq.IncomingRabbitMQMetadata");

  @BuildStep
  void find(CombinedIndexBuildItem index, BuildProducer<OnceMethodBuildItem> methods) {
    index.getIndex().getAnnotations(OnceNames.ONCE).stream()
        .map(annotation -> new OnceMethodBuildItem(annotation.target().asMethod()))
        .forEach(methods::produce);
  }

  /** An application without such methods has none of the beans. */
  @BuildStep
  void leaveOut(List<OnceMethodBuildItem> methods, BuildProducer<ExcludedTypeBuildItem> excluded) {
    if (methods.isEmpty()) {
      excluded.produce(new ExcludedTypeBuildItem(RUNTIME + "*"));
    }
    OF_CONNECTORS.forEach(
        (bean, library) -> {
          if (!QuarkusClassLoader.isClassPresentAtRuntime(library)) {
            excluded.produce(new ExcludedTypeBuildItem(MESSAGING + bean));
          }
        });
  }

  /** Its methods are called by reflection, from nowhere that the build sees. */
  @BuildStep
  void keepBeans(
      List<OnceMethodBuildItem> methods,
      BuildProducer<UnremovableBeanBuildItem> kept,
      BuildProducer<ReflectiveClassBuildItem> reflective) {
    Set<String> beans = methods.stream().map(OnceMethodBuildItem::bean).collect(Collectors.toSet());
    kept.produce(UnremovableBeanBuildItem.beanClassNames(beans));
    reflective.produce(
        ReflectiveClassBuildItem.builder(beans.toArray(String[]::new)).methods().build());
  }

  @BuildStep
  void subscribe(
      CombinedIndexBuildItem index,
      List<OnceMethodBuildItem> methods,
      BuildProducer<GeneratedBeanBuildItem> beans,
      BuildProducer<RunTimeConfigurationDefaultBuildItem> defaults) {
    if (methods.isEmpty() || !OnceChecks.of(index.getIndex(), methods).isEmpty()) {
      return;
    }
    GeneratedBeanGizmoAdaptor output = new GeneratedBeanGizmoAdaptor(beans);
    methods.forEach(method -> OnceSubscribers.generate(method, output));
    String channels =
        methods.stream()
            .map(OnceMethodBuildItem::channel)
            .distinct()
            .collect(Collectors.joining(","));
    defaults.produce(
        new RunTimeConfigurationDefaultBuildItem("onceflow.messaging.incoming", channels));
  }

  /** The methods themselves subscribe to nothing. */
  @BuildStep
  AnnotationsTransformerBuildItem unsubscribe() {
    return new AnnotationsTransformerBuildItem(
        AnnotationTransformation.forMethods()
            .whenMethod(method -> method.hasAnnotation(OnceNames.ONCE))
            .transform(
                context -> context.remove(it -> OnceNames.OF_MEDIATORS.contains(it.name()))));
  }

  @BuildStep
  void check(
      CombinedIndexBuildItem index,
      List<OnceMethodBuildItem> methods,
      ValidationPhaseBuildItem validation,
      BuildProducer<ValidationErrorBuildItem> errors) {
    List<String> wrong = OnceChecks.of(index.getIndex(), methods);
    if (!wrong.isEmpty()) {
      errors.produce(
          new ValidationErrorBuildItem(new DeploymentException(String.join("\n", wrong))));
    }
  }
}
