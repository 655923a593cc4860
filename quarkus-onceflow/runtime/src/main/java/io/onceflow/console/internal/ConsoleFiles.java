package io.onceflow.console.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The console's files by their path below {@code /console/}.
 *
 * @param byPath of {@code assets/main-1A2B3C4D.js}, for example; of {@code index.html} always
 */
record ConsoleFiles(Map<String, ConsoleFile> byPath) {

  /** Where they are on the class path. */
  static final String FOLDER = "META-INF/onceflow-console/";

  private static final String INDEX = "index.html";
  private static final String HASHED = "assets/";

  /** As the page names its files; the application may be below another root. */
  private static final String WRITTEN_AS = "\"/console/";

  /**
   * Reads them.
   *
   * @param paths below the folder
   * @param console the console's address, {@code /console/} or below the application's root path
   */
  static ConsoleFiles read(List<String> paths, String console) {
    return new ConsoleFiles(
        paths.stream()
            .collect(Collectors.toMap(Function.identity(), path -> readOne(path, console))));
  }

  private static ConsoleFile readOne(String path, String console) {
    byte[] bytes = bytesOf(path);
    return ConsoleFile.of(
        path, path.equals(INDEX) ? ConsoleFile.replace(bytes, WRITTEN_AS, '"' + console) : bytes);
  }

  private static byte[] bytesOf(String path) {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    try (InputStream in = loader.getResourceAsStream(FOLDER + path)) {
      if (in == null) {
        throw new IllegalStateException("The console lacks its file " + path);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * What is answered for a path.
   *
   * @param path below {@code /console/}
   * @return the page itself for the address of a view; empty for a file that there is not
   */
  Optional<ConsoleFile> at(String path) {
    if (path.startsWith(HASHED) || byPath.containsKey(path)) {
      return Optional.ofNullable(byPath.get(path));
    }
    return isNamedAsFile(path) ? Optional.empty() : Optional.ofNullable(byPath.get(INDEX));
  }

  /** Whether its content can never change, since its name would. */
  static boolean isImmutable(String path) {
    return path.startsWith(HASHED);
  }

  /** The first part of a view's address is a word; what comes after it may have dots. */
  private static boolean isNamedAsFile(String path) {
    int slash = path.indexOf('/');
    return (slash < 0 ? path : path.substring(0, slash)).contains(".");
  }
}
