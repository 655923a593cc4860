package io.onceflow.systemtests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Where things lie in this checkout. */
public final class Project {

  private static final Path ROOT = findRoot();

  /** What the services are built for; tests run the same on each. */
  private static final String TRANSPORT = System.getProperty("onceflow.transport", "rabbitmq");

  private Project() {}

  /** What {@code java -jar} starts a service from. */
  public static Path jar(String service) {
    return jar(ROOT, service);
  }

  /** The same of another checkout. */
  public static Path jar(Path root, String service) {
    Path jar = root.resolve(service).resolve(folder()).resolve("quarkus-run.jar");
    if (!Files.exists(jar)) {
      throw new IllegalStateException(
          """
          %s is not built: there is no %s.
          The system tests run the services as processes of their own. Build them first:
            ./mvnw package -DskipTests
          or let Maven build what is needed and test:
            ./mvnw verify -pl verification/system-tests -am\
          """
              .formatted(service, root.relativize(jar)));
    }
    return jar;
  }

  /** Whether the services were built for Kafka. */
  public static boolean isOnKafka() {
    return TRANSPORT.equals("kafka");
  }

  private static String folder() {
    return "target/quarkus-app" + (TRANSPORT.equals("rabbitmq") ? "" : "-" + TRANSPORT);
  }

  /** All that a service has on its class path, its own classes among it. */
  static List<Path> classPath(String service) {
    Path application = jar(service).getParent();
    try (Stream<Path> files = Files.walk(application)) {
      return files.filter(file -> file.toString().endsWith(".jar")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * With which the images run the services where they have little memory; a JVM older than theirs
   * passes by what it lacks.
   */
  static List<String> smallJvmOptions() {
    List<String> options = new ArrayList<>(List.of("-XX:+IgnoreUnrecognizedVMOptions"));
    // The order in which the JVM gets them in a container: later ones would win.
    options.addAll(jvmOptions("small.options"));
    options.addAll(jvmOptions("jvm.options"));
    return options;
  }

  private static List<String> jvmOptions(String file) {
    try (Stream<String> lines = Files.lines(file("deploy/image").resolve(file))) {
      return lines.filter(line -> line.startsWith("-")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A file of the checkout. */
  public static Path file(String path) {
    return ROOT.resolve(path);
  }

  /** A folder for what the tests of this JVM write: the services' logs and the keys. */
  static Path output() {
    return ROOT.resolve(
        "verification/system-tests/target/stack-" + System.getProperty("onceflow.stack", "1"));
  }

  /** A folder for what makes services start faster, for all JVMs that test. */
  static Path archives() {
    return ROOT.resolve("verification/system-tests/target/archives").resolve(TRANSPORT);
  }

  /** A folder for what a run of the chaos writes, unless it is told another. */
  public static Path chaosOutput() {
    return ROOT.resolve("verification/system-tests/target/chaos");
  }

  /**
   * Works when the tests are started in the module's folder or in the root, also by an IDE.
   * Programs that are started elsewhere set the folder.
   */
  private static Path findRoot() {
    Path start = Path.of(System.getProperty("onceflow.home", "")).toAbsolutePath();
    for (Path folder = start; folder != null; folder = folder.getParent()) {
      if (Files.exists(folder.resolve("verification/system-tests/pom.xml"))) {
        return folder;
      }
    }
    throw new IllegalStateException("%s is not inside of Onceflow's checkout".formatted(start));
  }
}
