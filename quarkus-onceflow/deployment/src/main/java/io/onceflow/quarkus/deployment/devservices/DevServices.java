package io.onceflow.quarkus.deployment.devservices;

import io.quarkus.datasource.common.runtime.DataSourceUtil;
import io.quarkus.datasource.common.runtime.DatabaseKind;
import io.quarkus.datasource.deployment.spi.DevServicesDatasourceConfigurationHandlerBuildItem;
import io.quarkus.deployment.IsDevServicesSupportedByLaunchMode;
import io.quarkus.deployment.annotations.BuildProducer;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.deployment.annotations.BuildSteps;
import io.quarkus.deployment.builditem.ApplicationInfoBuildItem;
import io.quarkus.deployment.builditem.DevServicesResultBuildItem;
import io.quarkus.deployment.builditem.DockerStatusBuildItem;
import io.quarkus.deployment.builditem.LaunchModeBuildItem;
import io.quarkus.deployment.builditem.RunTimeConfigurationDefaultBuildItem;
import io.quarkus.deployment.dev.devservices.DevServicesConfig;
import io.quarkus.deployment.pkg.builditem.CurateOutcomeBuildItem;
import io.quarkus.devservices.common.ContainerLocator;
import io.quarkus.runtime.LaunchMode;
import io.smallrye.config.SmallRyeConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jboss.logging.Logger;

/** Starts what an application in development or under test needs and does not name. */
@BuildSteps(onlyIf = IsDevServicesSupportedByLaunchMode.class)
class DevServices {

  private static final Logger LOG = Logger.getLogger(DevServices.class);

  private static final String NAME = "onceflow";

  private static final String NO_SERVERS =
      """
      Dev Services of Onceflow start nothing: there is no Docker engine, or \
      onceflow.devservices.containers is false, and io.onceflow:onceflow-embedded-servers is not \
      among the dependencies; add it with scope "provided", start Docker, or configure servers\
      """;

  private static final ContainerLocator SHARED =
      ContainerLocator.locateContainerWithLabels(BrokerContainer.PORT, BrokerContainer.LABEL);

  @BuildStep
  void start(
      OnceflowDevServicesConfig config,
      DevServicesConfig allDevServices,
      LaunchModeBuildItem launch,
      DockerStatusBuildItem docker,
      ApplicationInfoBuildItem application,
      CurateOutcomeBuildItem curated,
      BuildProducer<DevServicesResultBuildItem> services,
      BuildProducer<RunTimeConfigurationDefaultBuildItem> defaults) {
    NeededServers needed = needed(config, allDevServices);
    if (!needed.broker()) {
      defaults.produce(new RunTimeConfigurationDefaultBuildItem("rabbitmq-host", "localhost"));
    }
    if (needed.equals(NeededServers.NONE)) {
      return;
    }
    LaunchMode mode = launch.getLaunchMode();
    if (needEmbedded(config, docker) && !EmbeddedDevServices.arePresent()) {
      LOG.warn(NO_SERVERS);
    } else if (areEmbedded(config, docker)) {
      services.produce(embedded(needed, application.getName(), mode, classPath(curated)));
    } else if (needed.broker()) {
      services.produce(broker(config, mode));
    }
  }

  /**
   * Quarkus' own Dev Services take the default data source for configured where its database is
   * embedded: they would fail tests without a Docker engine, and start a second database with one.
   */
  @BuildStep
  void leaveOutDatabaseContainer(
      OnceflowDevServicesConfig config,
      DevServicesConfig allDevServices,
      DockerStatusBuildItem docker,
      BuildProducer<DevServicesDatasourceConfigurationHandlerBuildItem> configured) {
    if (areEmbedded(config, docker) && needed(config, allDevServices).database()) {
      configured.produce(
          new DevServicesDatasourceConfigurationHandlerBuildItem(
              DatabaseKind.POSTGRESQL,
              (name, database) -> Map.of(),
              name -> Map.of(),
              name -> name == null || DataSourceUtil.isDefault(name)));
    }
  }

  private static boolean areEmbedded(
      OnceflowDevServicesConfig config, DockerStatusBuildItem docker) {
    return needEmbedded(config, docker) && EmbeddedDevServices.arePresent();
  }

  private static boolean needEmbedded(
      OnceflowDevServicesConfig config, DockerStatusBuildItem docker) {
    return !config.containers() || !docker.isContainerRuntimeAvailable();
  }

  private static NeededServers needed(
      OnceflowDevServicesConfig config, DevServicesConfig allDevServices) {
    return config.enabled() && allDevServices.enabled()
        ? NeededServers.of(
            ConfigProvider.getConfig().unwrap(SmallRyeConfig.class), config.containers())
        : NeededServers.NONE;
  }

  private static DevServicesResultBuildItem broker(
      OnceflowDevServicesConfig config, LaunchMode mode) {
    return SHARED
        .locateContainer(config.serviceName(), true, mode)
        .map(
            found ->
                DevServicesResultBuildItem.discovered()
                    .feature(NAME)
                    .description("RabbitMQ that another application has started")
                    .containerId(found.getId())
                    .config(BrokerContainer.settings(found.getHost(), found.getPort()))
                    .build())
        .orElseGet(
            () ->
                DevServicesResultBuildItem.<BrokerContainer>owned()
                    .feature(NAME)
                    .description("RabbitMQ")
                    .serviceName(config.serviceName())
                    .serviceConfig(List.of(config.brokerImage()))
                    .startable(() -> new BrokerContainer(config, mode))
                    .configProvider(BrokerContainer.SETTINGS)
                    .build());
  }

  private static DevServicesResultBuildItem embedded(
      NeededServers needed, String application, LaunchMode mode, List<Path> classPath) {
    try {
      Map<String, String> settings =
          EmbeddedDevServices.settings(needed, application, mode, classPath);
      LOG.infof("Dev Services of Onceflow: embedded servers for %s", settings.keySet());
      return DevServicesResultBuildItem.discovered()
          .feature(NAME)
          .description("embedded servers")
          .config(settings)
          .build();
    } catch (IOException | SQLException e) {
      throw new IllegalStateException(
          "the embedded servers of Onceflow's Dev Services did not start; name servers of your own,"
              + " or set onceflow.devservices.enabled=false",
          e);
    }
  }

  /** All that the build has: the servers' own jars are among them. */
  private static List<Path> classPath(CurateOutcomeBuildItem curated) {
    return curated.getApplicationModel().getDependencies().stream()
        .flatMap(dependency -> dependency.getResolvedPaths().stream())
        .toList();
  }
}
