package io.onceflow.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the Dockerfile, Compose files, workflows and scripts name is in this checkout. */
class PathsTest {

  private static final Path ROOT = Overlay.root();
  private static final String DOCKERFILE = Overlay.read(ROOT.resolve("Dockerfile"));

  private static final List<String> COMPOSE =
      List.of("docker-compose.yml", "deploy/compose/kafka.yml", "deploy/compose/small.yml");

  /** {@code COPY a b to}, with {@code --from} in the first group where there is one. */
  private static final Pattern COPY =
      Pattern.compile("(?m)^COPY (?:--from=(\\S+) )?((?:\\S+ )+)\\S+$");

  /**
   * {@code ARG PROJECTS=a,b}, {@code PROJECTS: a,b}, {@code -pl a,b} and {@code --projects a,b}.
   */
  private static final Pattern PROJECTS =
      Pattern.compile("(?:PROJECTS[=:] ?|(?<![\\w-])-pl |--projects )([a-z][\\w/,-]*)");

  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

  /** A path that is not part of a longer one, an address or a variable. */
  private static final Pattern PATH =
      Pattern.compile("(?<![\\w./:@$}~-])(?:\\./)?([\\w.-]+(?:/[\\w.-]+)+)");

  @Test
  void whatTheDockerfileCopiesIsThere() {
    List<String> missing = new ArrayList<>();
    List<MatchResult> copies = COPY.matcher(DOCKERFILE).results().toList();
    assertThat(copies).hasSizeGreaterThan(20);
    for (MatchResult copy : copies) {
      for (String source : copy.group(2).strip().split(" ")) {
        if (!isThere(copy.group(1), source)) {
          missing.add(copy.group());
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  /** From this checkout, or what a module of it has built. */
  private static boolean isThere(@Nullable String stage, String source) {
    if (stage == null) {
      return source.equals(".") || Files.exists(ROOT.resolve(source)) && !isIgnored(source);
    }
    String built = source.replaceFirst("^/source/", "").replace("${SERVICE}", "order-service");
    return !source.startsWith("/source/")
        || !built.contains("/target/")
        || Files.exists(ROOT.resolve(built.replaceFirst("/target/.*", "/pom.xml")));
  }

  /** Maven reads the poms of all modules, whichever it builds. */
  @Test
  void everyModuleIsInTheContextOfTheImages() throws IOException {
    List<String> modules = modules("");
    assertThat(modules).hasSizeGreaterThan(35);
    assertThat(modules)
        .allMatch(module -> Files.exists(ROOT.resolve(module).resolve("pom.xml")))
        .noneMatch(module -> isIgnored(module) || isIgnored(module + "/pom.xml"))
        .noneMatch(module -> module.startsWith("deploy"));
  }

  @Test
  void everyProjectThatMavenIsToldToBuildIsAModule() throws IOException {
    List<String> modules = modules("");
    List<String> unknown = new ArrayList<>();
    int named = 0;
    for (Path file : texts()) {
      for (MatchResult found : PROJECTS.matcher(Overlay.read(file)).results().toList()) {
        for (String project : found.group(1).split(",")) {
          named++;
          if (!modules.contains(project)) {
            unknown.add("%s: %s".formatted(ROOT.relativize(file), project));
          }
        }
      }
    }
    assertThat(named).isGreaterThan(15);
    assertThat(unknown).isEmpty();
  }

  @Test
  void whatComposeMountsAndBuildsIsThere() {
    List<String> stages =
        Pattern.compile("(?m)^FROM \\S+ AS (\\S+)$")
            .matcher(DOCKERFILE)
            .results()
            .map(found -> found.group(1))
            .toList();
    List<String> mounted = new ArrayList<>();
    for (String file : COMPOSE) {
      for (JsonNode service : Compose.read(file).get("services")) {
        if (service.at("/build/target").isTextual()) {
          assertThat(stages).contains(service.at("/build/target").asText());
        }
        for (JsonNode volume : service.path("volumes")) {
          String source = volume.asText().replaceFirst("^\\$\\{\\w+:-(.*?)}", "$1").split(":")[0];
          if (source.startsWith("./")) {
            mounted.add(source);
          }
        }
      }
    }
    assertThat(mounted).hasSizeGreaterThan(8).allMatch(it -> Files.exists(ROOT.resolve(it)));
  }

  @Test
  void theMainClassOfAnImageIsInItsModule() {
    Matcher stripe = Pattern.compile("\"(io\\.onceflow\\.[\\w.]+)\"]").matcher(DOCKERFILE);
    assertThat(stripe.find()).isTrue();
    Path source = Path.of("integrations/stripe-double/src/main/java");
    assertThat(ROOT.resolve(source).resolve(stripe.group(1).replace('.', '/') + ".java")).exists();
  }

  /** In scripts and comments, too: what looks like a path into one of this checkout's folders. */
  @Test
  void noFileNamesAPathThatIsNotThere() throws IOException {
    List<String> missing = new ArrayList<>();
    for (Path file : texts()) {
      for (MatchResult found : PATH.matcher(Overlay.read(file)).results().toList()) {
        String path = found.group(1).replaceFirst("\\.$", "");
        boolean isOurs = Files.isDirectory(ROOT.resolve(path.substring(0, path.indexOf('/'))));
        boolean isBuilt = path.startsWith("target/") || path.contains("/target");
        boolean isThere =
            Files.exists(ROOT.resolve(path)) || Files.exists(file.resolveSibling(path));
        if (isOurs && !isBuilt && !path.startsWith(".") && !isThere) {
          missing.add("%s: %s".formatted(ROOT.relativize(file), path));
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  /** All modules, those of modules included, by their folders. */
  private static List<String> modules(String parent) throws IOException {
    List<String> modules = new ArrayList<>();
    Path folder = ROOT.resolve(parent);
    for (MatchResult found :
        MODULE.matcher(Files.readString(folder.resolve("pom.xml"))).results().toList()) {
      String module = parent.isEmpty() ? found.group(1) : parent + "/" + found.group(1);
      modules.add(module);
      modules.addAll(modules(module));
    }
    return modules;
  }

  /** By .dockerignore, whose last line that fits decides. */
  private static boolean isIgnored(String path) {
    boolean isIgnored = false;
    for (String line : Overlay.read(ROOT.resolve(".dockerignore")).lines().toList()) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      String pattern = line.startsWith("!") ? line.substring(1) : line;
      if (fits(pattern, Path.of(path))) {
        isIgnored = !line.startsWith("!");
      }
    }
    return isIgnored;
  }

  /** Whether a pattern is for a path or a folder that holds it. */
  private static boolean fits(String pattern, Path path) {
    FileSystem files = FileSystems.getDefault();
    PathMatcher anywhere = files.getPathMatcher("glob:" + pattern);
    PathMatcher here = files.getPathMatcher("glob:" + pattern.replaceFirst("^\\*\\*/", ""));
    return Stream.iterate(path, Objects::nonNull, Path::getParent)
        .anyMatch(it -> anywhere.matches(it) || here.matches(it));
  }

  private static List<Path> texts() throws IOException {
    List<Path> files =
        new ArrayList<>(
            Stream.concat(COMPOSE.stream(), Stream.of("Dockerfile", ".env.example", "onceflow"))
                .map(ROOT::resolve)
                .toList());
    for (String folder : List.of(".ci", ".github", "deploy")) {
      try (Stream<Path> found = Files.walk(ROOT.resolve(folder))) {
        found
            .filter(Files::isRegularFile)
            .filter(file -> !file.toString().matches(".*\\.(md|json|xml)"))
            .forEach(files::add);
      }
    }
    return files;
  }
}
