package io.onceflow.quarkus.deployment;

import io.onceflow.internal.startup.BootstrapConfig;
import io.onceflow.quarkus.runtime.OnceflowModel;
import io.onceflow.quarkus.runtime.OnceflowRecorder;
import io.quarkus.arc.deployment.AdditionalBeanBuildItem;
import io.quarkus.arc.deployment.SyntheticBeanBuildItem;
import io.quarkus.arc.deployment.UnremovableBeanBuildItem;
import io.quarkus.arc.deployment.ValidationPhaseBuildItem;
import io.quarkus.arc.deployment.ValidationPhaseBuildItem.ValidationErrorBuildItem;
import io.quarkus.deployment.annotations.BuildProducer;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.deployment.annotations.ExecutionTime;
import io.quarkus.deployment.annotations.Record;
import io.quarkus.deployment.builditem.AdditionalIndexedClassesBuildItem;
import io.quarkus.deployment.builditem.ApplicationArchivesBuildItem;
import io.quarkus.deployment.builditem.CombinedIndexBuildItem;
import io.quarkus.deployment.builditem.FeatureBuildItem;
import io.quarkus.deployment.builditem.GeneratedResourceBuildItem;
import io.quarkus.deployment.builditem.LaunchModeBuildItem;
import io.quarkus.deployment.builditem.nativeimage.NativeImageResourceBuildItem;
import io.quarkus.deployment.builditem.nativeimage.ReflectiveClassBuildItem;
import io.quarkus.deployment.builditem.nativeimage.ReflectiveHierarchyBuildItem;
import io.quarkus.deployment.logging.LogCleanupFilterBuildItem;
import jakarta.enterprise.inject.spi.DeploymentException;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.DotName;
import org.jboss.jandex.IndexView;
import org.jboss.jandex.Type;

/** The build steps of the extension. */
class OnceflowProcessor {

  private static final String RUNTIME = "io.onceflow.quarkus.runtime.";

  @BuildStep
  FeatureBuildItem feature() {
    return new FeatureBuildItem("onceflow");
  }

  /**
   * Quarkus registers the gauges of each of the server's groups of event loops under the same
   * names, of which Micrometer would warn at each start.
   */
  @BuildStep
  LogCleanupFilterBuildItem gaugesOfEventLoops() {
    return new LogCleanupFilterBuildItem(
        "io.micrometer.core.instrument.MeterRegistry",
        "This Gauge has been already registered (MeterId{name='netty.eventexecutor");
  }

  @BuildStep
  AdditionalBeanBuildItem beans() {
    return AdditionalBeanBuildItem.builder()
        .setUnremovable()
        .addBeanClasses(
            RUNTIME + "LocalHandlerCheck",
            RUNTIME + "ReplySenderCheck",
            RUNTIME + "Lifecycle",
            RUNTIME + "ParticipantBeans",
            RUNTIME + "ProductMigrations")
        .build();
  }

  /** The answer to requests without a valid token. */
  @BuildStep
  AdditionalIndexedClassesBuildItem unauthenticated() {
    return new AdditionalIndexedClassesBuildItem(RUNTIME + "Unauthenticated");
  }

  /**
   * What the checks before the start cannot know otherwise: the transport may have been an option
   * of the build, and Quarkus sets the launch mode only after {@code main} was called.
   */
  @BuildStep
  void recordForChecksBeforeStart(
      OnceflowTransportConfig transport,
      LaunchModeBuildItem launch,
      BuildProducer<GeneratedResourceBuildItem> resources,
      BuildProducer<NativeImageResourceBuildItem> inNativeImages) {
    String properties =
        "onceflow.transport=%s\n%s=%s\n"
            .formatted(transport.name(), BootstrapConfig.LAUNCH_MODE, launch.getLaunchMode());
    resources.produce(
        new GeneratedResourceBuildItem(
            BootstrapConfig.BUILT, properties.getBytes(StandardCharsets.UTF_8)));
    inNativeImages.produce(new NativeImageResourceBuildItem(BootstrapConfig.BUILT));
  }

  /** An application's own entry goes first. */
  @BuildStep
  void entry(
      ApplicationArchivesBuildItem archives,
      BuildProducer<AdditionalIndexedClassesBuildItem> entry) {
    boolean hasOwn =
        archives.getAllApplicationArchives().stream()
            .anyMatch(archive -> !archive.getIndex().getAnnotations(Names.QUARKUS_MAIN).isEmpty());
    if (!hasOwn) {
      entry.produce(new AdditionalIndexedClassesBuildItem(RUNTIME + "OnceflowMain"));
    }
  }

  @BuildStep
  void findHandlers(CombinedIndexBuildItem index, BuildProducer<HandlerMethodBuildItem> handlers) {
    index.getIndex().getAnnotations(Names.HANDLES).stream()
        .map(annotation -> new HandlerMethodBuildItem(annotation.target().asMethod()))
        .forEach(handlers::produce);
  }

  /** Found by what their methods or types say, and injected nowhere. */
  @BuildStep
  void keepBeans(
      List<HandlerMethodBuildItem> handlers, BuildProducer<UnremovableBeanBuildItem> kept) {
    Set<String> beans =
        handlers.stream().map(HandlerMethodBuildItem::bean).collect(Collectors.toSet());
    kept.produce(UnremovableBeanBuildItem.beanClassNames(beans));
    kept.produce(UnremovableBeanBuildItem.beanTypes(Names.ROWS, Names.ENTITY_MANAGER));
  }

  /** Also tells of a handler class that is no bean: its methods would never be called. */
  @BuildStep
  void check(
      CombinedIndexBuildItem index,
      List<HandlerMethodBuildItem> handlers,
      ValidationPhaseBuildItem validation,
      OnceflowTransportConfig transport,
      BuildProducer<ValidationErrorBuildItem> errors) {
    Set<String> beans =
        validation.getContext().beans().stream()
            .filter(bean -> bean.isClassBean())
            .map(bean -> bean.getBeanClass().toString())
            .collect(Collectors.toSet());
    Stream<String> noBeans =
        handlers.stream()
            .filter(handler -> !beans.contains(handler.bean()))
            .map(OnceflowProcessor::notOfABean);
    List<String> wrong =
        Stream.of(
                noBeans,
                MessageChecks.of(index.getIndex(), handlers).stream(),
                HandlerChecks.of(index.getIndex(), handlers).stream(),
                Transports.unknown(transport).stream())
            .flatMap(sentences -> sentences)
            .toList();
    if (!wrong.isEmpty()) {
      errors.produce(
          new ValidationErrorBuildItem(new DeploymentException(String.join("\n", wrong))));
    }
  }

  private static String notOfABean(HandlerMethodBuildItem handler) {
    return handler.isInAbstractClass()
        ? "%s is annotated with @Handles, but its class is abstract, which no bean is; move the method to the class of a bean"
            .formatted(handler)
        : "%s is annotated with @Handles, but its class is no bean; annotate that with @ApplicationScoped"
            .formatted(handler);
  }

  /** Before beans are resolved: without its transport the application lacks some. */
  @BuildStep
  void requireTransport(
      OnceflowTransportConfig transport,
      CombinedIndexBuildItem index,
      BuildProducer<AdditionalBeanBuildItem> before) {
    Transports.missing(transport, index.getIndex())
        .ifPresent(
            sentence -> {
              throw new DeploymentException(sentence);
            });
  }

  @BuildStep
  @Record(ExecutionTime.STATIC_INIT)
  SyntheticBeanBuildItem model(
      OnceflowRecorder recorder,
      CombinedIndexBuildItem index,
      ApplicationArchivesBuildItem archives,
      List<HandlerMethodBuildItem> handlers,
      BuildProducer<NativeImageResourceBuildItem> resources) {
    List<String> migrations = Migrations.of(archives, index.getIndex());
    resources.produce(new NativeImageResourceBuildItem(migrations));
    return SyntheticBeanBuildItem.configure(OnceflowModel.class)
        .scope(Singleton.class)
        .unremovable()
        .runtimeValue(
            recorder.model(
                handlers.stream().map(HandlerMethodBuildItem::bean).distinct().sorted().toList(),
                handlers.stream().map(it -> it.command().toString()).distinct().sorted().toList(),
                bindings(index.getIndex(), handlers),
                migrations))
        .done();
  }

  /** Of the commands that are handled. */
  static List<String> bindings(IndexView index, List<HandlerMethodBuildItem> handlers) {
    return bindings(
        handlers.stream()
            .map(handler -> index.getClassByName(handler.command()))
            .filter(type -> type != null && type.hasDeclaredAnnotation(Names.COMMAND)));
  }

  /** The first words of the commands' routing keys, each with all that comes after it. */
  static List<String> bindings(Stream<ClassInfo> commands) {
    return commands
        .map(type -> type.declaredAnnotation(Names.COMMAND).value().asString())
        .map(key -> key.split("[.]")[0] + ".#")
        .distinct()
        .sorted()
        .toList();
  }

  /** In a native image only what is registered can be read from JSON and called by reflection. */
  @BuildStep
  ReflectiveClassBuildItem registerForReflection(List<HandlerMethodBuildItem> handlers) {
    String[] beans =
        handlers.stream().map(HandlerMethodBuildItem::bean).distinct().toArray(String[]::new);
    return ReflectiveClassBuildItem.builder(beans).methods().build();
  }

  /** What is written as JSON, with the types of its components: messages, and what is stored. */
  @BuildStep
  void registerHierarchies(
      CombinedIndexBuildItem index, BuildProducer<ReflectiveHierarchyBuildItem> written) {
    Stream<DotName> messages =
        Stream.of(Names.COMMAND, Names.DONE, Names.REFUSED)
            .flatMap(name -> index.getIndex().getAnnotations(name).stream())
            .map(annotation -> annotation.target().asClass().name());
    Stream.concat(messages, Stream.of(Names.INBOUND_MESSAGE, Names.STEP_OUTCOME))
        .distinct()
        .map(type -> ReflectiveHierarchyBuildItem.builder(type).source("onceflow").build())
        .forEach(written::produce);
  }

  /** A {@link io.onceflow.participant.RecordTable} reads and writes its rows by reflection. */
  @BuildStep
  ReflectiveClassBuildItem registerRows(CombinedIndexBuildItem index) {
    String[] rows =
        index.getIndex().getAllKnownSubclasses(Names.RECORD_TABLE).stream()
            .map(ClassInfo::superClassType)
            .filter(type -> type.kind() == Type.Kind.PARAMETERIZED_TYPE)
            .map(type -> type.asParameterizedType().arguments().getFirst().name().toString())
            .toArray(String[]::new);
    return ReflectiveClassBuildItem.builder(rows).constructors().methods().build();
  }
}
