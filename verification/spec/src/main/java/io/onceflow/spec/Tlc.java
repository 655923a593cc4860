package io.onceflow.spec;

import io.onceflow.spec.TlcResult.Step;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs TLC in a process of its own: it keeps its state in static fields. */
public final class Tlc {

  private static final Pattern INVARIANT = Pattern.compile("Invariant (\\w+) is violated");
  private static final Pattern STATES =
      Pattern.compile("(?m)^\\d+ states generated, (\\d+) distinct states found, 0 states left");
  private static final Pattern SAID =
      Pattern.compile("last = <<\\s*\"([^\"]*)\",\\s*\"([^\"]*)\",\\s*\"([^\"]*)\"\\s*>>");
  private static final Pattern BACK = Pattern.compile("Back to state (\\d+)");

  private final int workers;
  private final String heap;

  /**
   * @param workers threads; with one, the counterexample of a run is always the same
   * @param heap the most that the process may take, such as {@code 1g}
   */
  public Tlc(int workers, String heap) {
    this.workers = workers;
    this.heap = heap;
  }

  /** Runs TLC until it has reached every state, or has found a violation. */
  public TlcResult run(ModelCheck check) throws InterruptedException {
    return inFolder(folder -> run(check, folder, List.of()));
  }

  /** Runs TLC until it has reached every state, and reads the file with the graph of them. */
  <T> T graph(ModelCheck check, Work<T> reader) throws InterruptedException {
    return inFolder(
        folder -> {
          TlcResult result = run(check, folder, List.of("-dump", "dot,actionlabels", "graph"));
          if (!result.holds()) {
            throw new IllegalStateException(result.output());
          }
          return reader.in(folder.resolve("graph.dot"));
        });
  }

  /** What is done with a file or folder while it is there. */
  interface Work<T> {
    T in(Path path) throws IOException, InterruptedException;
  }

  private static <T> T inFolder(Work<T> work) throws InterruptedException {
    try {
      Path folder = Files.createTempDirectory("spec");
      try {
        return work.in(folder);
      } finally {
        delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private TlcResult run(ModelCheck check, Path folder, List<String> options)
      throws IOException, InterruptedException {
    String module = check.specification().module();
    Files.writeString(folder.resolve(module + ".tla"), check.specification().source());
    Files.writeString(folder.resolve(module + ".cfg"), check.configuration());
    Path output = folder.resolve("output.txt");
    long began = System.nanoTime();
    Process process =
        new ProcessBuilder(command(module, options))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      process.waitFor();
    } finally {
      process.destroyForcibly();
    }
    return result(Files.readString(output), Duration.ofNanos(System.nanoTime() - began));
  }

  private List<String> command(String module, List<String> options) {
    List<String> command = new ArrayList<>();
    Collections.addAll(
        command,
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:+UseParallelGC",
        "-Xmx" + heap,
        "-cp",
        jar(),
        "tlc2.TLC",
        "-workers",
        Integer.toString(workers),
        "-fp",
        "0",
        // On the way, it would depend on the machine which violation is found first.
        "-lncheck",
        "final",
        "-deadlock",
        "-config",
        module + ".cfg");
    command.addAll(options);
    command.add(module + ".tla");
    return command;
  }

  private static String jar() {
    try {
      return Path.of(tlc2.TLC.class.getProtectionDomain().getCodeSource().getLocation().toURI())
          .toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Reads what TLC printed. */
  static TlcResult result(String output, Duration took) {
    String violated = violated(output);
    Matcher states = STATES.matcher(output);
    if (violated == null && !(states.find() && output.contains("No error has been found"))) {
      throw new IllegalStateException("TLC did not finish:\n" + output);
    }
    Matcher back = BACK.matcher(output);
    return new TlcResult(
        violated,
        violated == null ? Long.parseLong(states.group(1)) : 0,
        steps(output),
        back.find() ? Integer.parseInt(back.group(1)) - 1 : 0,
        took,
        output);
  }

  private static @Nullable String violated(String output) {
    Matcher invariant = INVARIANT.matcher(output);
    if (invariant.find()) {
      return invariant.group(1);
    }
    return output.contains("Temporal properties were violated") ? TlcResult.PROPERTY : null;
  }

  private static List<Step> steps(String output) {
    List<Step> steps = new ArrayList<>();
    Matcher said = SAID.matcher(output);
    while (said.find()) {
      steps.add(new Step(said.group(1), said.group(2), said.group(3)));
    }
    return steps;
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
