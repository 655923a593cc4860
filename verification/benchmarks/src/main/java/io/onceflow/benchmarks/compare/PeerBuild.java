package io.onceflow.benchmarks.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What {@code ./onceflow bench compare} built of the peers' modules, each of them by itself. */
final class PeerBuild {

  private static final Map<PeerName, String> MAINS =
      Map.of(
          PeerName.DBOS, "io.onceflow.benchmarks.peers.dbos.DbosPeer",
          PeerName.DBOS_WITH_ROWS, "io.onceflow.benchmarks.peers.dbos.DbosPeer",
          PeerName.RESTATE, "io.onceflow.benchmarks.peers.restate.RestatePeer",
          PeerName.TEMPORAL, "io.onceflow.benchmarks.peers.temporal.TemporalPeer");

  private static final Pattern MISSING =
      Pattern.compile("Could not find artifact (\\S+)|^(\\S+) was not found in");

  private static final int LONGEST_REASON = 300;

  private final Path modules;
  private final Path log;

  /**
   * @param modules the folder with a module for each peer
   * @param log of the build
   */
  PeerBuild(Path modules, Path log) {
    this.modules = modules;
    this.log = log;
  }

  /**
   * A peer that was built.
   *
   * @param classPath its classes and libraries
   */
  record Built(PeerName name, String classPath, String mainClass) {}

  /**
   * Finds a peer's classes.
   *
   * @throws IOException with the reason if they were not built
   */
  Built find(PeerName name) throws IOException {
    Path target = modules.resolve(name.module()).resolve("target");
    Path classes = target.resolve("classes");
    String main = Objects.requireNonNull(MAINS.get(name), name::label);
    if (!Files.exists(classes.resolve(main.replace('.', '/') + ".class"))) {
      throw new IOException(reason(name));
    }
    return new Built(name, "%s:%s/lib/*".formatted(classes, target), main);
  }

  private String reason(PeerName name) throws IOException {
    if (!Files.exists(log)) {
      return "it was not built; ./onceflow bench compare builds it";
    }
    try (Stream<String> lines = Files.lines(log)) {
      return reasonIn(lines.toList(), name);
    }
  }

  /** The artifact that is missing, else the first error of Maven's that names the peer's module. */
  static String reasonIn(List<String> log, PeerName name) {
    String module = "peer-" + name.module();
    List<String> errors =
        log.stream()
            .filter(line -> line.startsWith("[ERROR]"))
            .dropWhile(line -> !line.contains(module))
            .takeWhile(line -> !line.contains("[Help"))
            .map(line -> line.substring("[ERROR]".length()).strip())
            .toList();
    if (errors.isEmpty()) {
      return "it was not built; see the log of the build";
    }
    return errors.stream()
        .map(MISSING::matcher)
        .filter(Matcher::find)
        .map(it -> (it.group(1) == null ? it.group(2) : it.group(1)) + " does not resolve")
        .findFirst()
        .orElse("its build failed: " + shortened(errors.getFirst()));
  }

  private static String shortened(String text) {
    return text.length() <= LONGEST_REASON ? text : text.substring(0, LONGEST_REASON) + "…";
  }
}
