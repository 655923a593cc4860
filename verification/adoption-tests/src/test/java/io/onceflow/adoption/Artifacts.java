package io.onceflow.adoption;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What this checkout has built, laid out as a local repository of Maven's. */
final class Artifacts {

  private static final Pattern ARTIFACT = Pattern.compile("<artifactId>([^<]+)</artifactId>");
  private static final Pattern VERSION = Pattern.compile("<version>([^<]+)</version>");
  private static final Pattern PARENT = Pattern.compile("<parent>.*?</parent>", Pattern.DOTALL);

  private Artifacts() {}

  /**
   * Copies poms and jars.
   *
   * @param checkout its top folder
   * @param repository an empty folder
   */
  static void install(Path checkout, Path repository) throws IOException {
    for (Path pom : poms(checkout)) {
      String text = Files.readString(pom);
      String own = PARENT.matcher(text).replaceFirst("");
      String artifact = first(ARTIFACT, own);
      String version = first(VERSION, text);
      Path folder = repository.resolve("io/onceflow").resolve(artifact).resolve(version);
      Files.createDirectories(folder);
      String name = artifact + "-" + version;
      Files.copy(pom, folder.resolve(name + ".pom"));
      Path jar = pom.resolveSibling("target").resolve(name + ".jar");
      if (Files.exists(jar)) {
        Files.copy(jar, folder.resolve(name + ".jar"), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  private static List<Path> poms(Path checkout) throws IOException {
    try (Stream<Path> files =
        Files.find(checkout, 4, (file, attributes) -> file.endsWith("pom.xml"))) {
      return files
          .filter(pom -> Stream.of("src", "target").noneMatch(it -> isIn(checkout, pom, it)))
          .toList();
    }
  }

  private static boolean isIn(Path checkout, Path file, String folder) {
    for (Path part : checkout.relativize(file)) {
      if (part.toString().equals(folder)) {
        return true;
      }
    }
    return false;
  }

  private static String first(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    if (!matcher.find()) {
      throw new IllegalArgumentException("there is no " + pattern);
    }
    return matcher.group(1);
  }
}
