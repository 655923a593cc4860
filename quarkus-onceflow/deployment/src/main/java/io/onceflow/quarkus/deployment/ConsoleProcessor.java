package io.onceflow.quarkus.deployment;

import io.onceflow.console.internal.ConsoleRecorder;
import io.quarkus.arc.deployment.AdditionalBeanBuildItem;
import io.quarkus.deployment.annotations.BuildProducer;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.deployment.annotations.ExecutionTime;
import io.quarkus.deployment.annotations.Record;
import io.quarkus.deployment.builditem.AdditionalIndexedClassesBuildItem;
import io.quarkus.deployment.builditem.ApplicationArchivesBuildItem;
import io.quarkus.runtime.util.ClassPathUtils;
import io.quarkus.vertx.http.deployment.FilterBuildItem;
import io.quarkus.vertx.http.deployment.HttpRootPathBuildItem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Serves the operators' page where the application leads sagas. */
class ConsoleProcessor {

  private static final String FOLDER = "META-INF/onceflow-console";

  /** Of the filters: those that bound requests or ask who sends them go before. */
  private static final int LAST = 10;

  private static final String RESOURCES = "io.onceflow.console.internal.";

  @BuildStep
  @Record(ExecutionTime.STATIC_INIT)
  void files(
      ConsoleBuildConfig config,
      ApplicationArchivesBuildItem archives,
      HttpRootPathBuildItem root,
      ConsoleRecorder recorder,
      BuildProducer<FilterBuildItem> filters)
      throws IOException {
    if (!isServed(config, archives)) {
      return;
    }
    String console = root.resolvePath("console") + "/";
    filters.produce(new FilterBuildItem(recorder.handler(paths(), console), LAST));
  }

  /** The page itself is changed for the root path, so it is not sent compressed. */
  private static List<String> paths() throws IOException {
    var paths = new TreeSet<String>();
    ClassPathUtils.consumeAsPaths(FOLDER, folder -> paths.addAll(below(folder)));
    paths.remove("index.html.gz");
    return List.copyOf(paths);
  }

  private static List<String> below(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> folder.relativize(file).toString().replace('\\', '/'))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @BuildStep
  void session(
      ConsoleBuildConfig config,
      ApplicationArchivesBuildItem archives,
      BuildProducer<AdditionalIndexedClassesBuildItem> indexed,
      BuildProducer<AdditionalBeanBuildItem> beans) {
    if (isServed(config, archives)) {
      indexed.produce(new AdditionalIndexedClassesBuildItem(RESOURCES + "SessionResource"));
      beans.produce(new AdditionalBeanBuildItem(RESOURCES + "SessionResource"));
    }
  }

  /** Whether this application has the page. */
  static boolean isServed(ConsoleBuildConfig config, ApplicationArchivesBuildItem archives) {
    return config.enabled() && leadsSagas(archives);
  }

  /** Asked of the archives, since what is added to the index cannot depend on the whole of it. */
  static boolean leadsSagas(ApplicationArchivesBuildItem archives) {
    return archives.getAllApplicationArchives().stream()
        .anyMatch(archive -> SagaFeature.areIn(archive.getIndex()));
  }
}
