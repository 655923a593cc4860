package io.onceflow.deployment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much of a container's memory the JVM's options let it take.
 *
 * @param options as the JVM gets them: those that come later win
 */
record JvmBounds(List<String> options) {

  static final String DEFAULT = "jvm.options";
  static final String SMALL = "small.options";

  /** Of which a service has less than 120 under load, each with a stack that it seldom uses. */
  private static final int THREADS = 120;

  private static final Pattern NUMBER = Pattern.compile("\\d+");
  private static final int KILOBYTES = 1024;

  /** The files of an image that its JVM reads, in this order. */
  static JvmBounds of(String... files) {
    return new JvmBounds(Arrays.stream(files).flatMap(file -> read(file).stream()).toList());
  }

  private static List<String> read(String file) {
    Path path = Overlay.root().resolve("deploy/image").resolve(file);
    try {
      return Files.readAllLines(path).stream().filter(line -> line.startsWith("-")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** In a container of so many megabytes; a size wins over a share. */
  int heap(int container) {
    return has("-Xmx") ? number("-Xmx") : container * number("-XX:MaxRAMPercentage=") / 100;
  }

  /** All that is bounded, if all of it were taken at the same time. */
  int sum(int container) {
    return heap(container)
        + number("-XX:ReservedCodeCacheSize=")
        + number("-XX:MaxMetaspaceSize=")
        + number("-XX:MaxDirectMemorySize=")
        + THREADS * number("-Xss") / KILOBYTES;
  }

  private boolean has(String option) {
    return options.stream().anyMatch(it -> it.startsWith(option));
  }

  private int number(String option) {
    List<String> latestFirst = new ArrayList<>(options);
    Collections.reverse(latestFirst);
    String found =
        latestFirst.stream().filter(it -> it.startsWith(option)).findFirst().orElseThrow();
    Matcher number = NUMBER.matcher(found.substring(option.length()));
    if (!number.find()) {
      throw new IllegalArgumentException(found);
    }
    return Integer.parseInt(number.group());
  }
}
