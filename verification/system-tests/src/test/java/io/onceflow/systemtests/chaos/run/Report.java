package io.onceflow.systemtests.chaos.run;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.onceflow.systemtests.chaos.world.Law;
import io.onceflow.systemtests.chaos.world.Violation;
import io.onceflow.systemtests.chaos.world.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What there is to say about a run.
 *
 * @param title which run it was
 * @param figures numbers and times by their names, in the order in which they are told
 * @param others how other callers were served
 * @param timeline lines
 * @param violations none, if all went well
 */
record Report(
    String title,
    Map<String, Object> figures,
    Others others,
    List<String> timeline,
    List<Violation> violations) {

  /** Draws up a report. */
  static Report of(
      String title,
      Map<String, Object> run,
      World world,
      Others others,
      Timeline timeline,
      List<Violation> violations) {
    Map<String, Object> figures = new LinkedHashMap<>(run);
    figures.put("keys that clients used", world.asked().size());
    figures.put("orders", countBy(world.orders().stream().map(World.Order::status).toList()));
    figures.put("sagas", countBy(world.sagas().stream().map(World.Saga::status).toList()));
    figures.put(
        "cancellations",
        countBy(world.asked().stream().flatMap(it -> it.cancellations().stream()).toList()));
    figures.put("gateway", countBy(world.gateway().stream().map(World.Entry::kind).toList()));
    figures.put("carrier", countBy(world.carrier().stream().map(World.Entry::kind).toList()));
    figures.put("parked", countBy(world.parked().stream().map(World.Parked::reason).toList()));
    figures.put(
        "altered in the books",
        countBy(world.planted().stream().map(World.Difference::kind).toList()));
    figures.put(
        "found in the books", countBy(world.found().stream().map(World.Difference::kind).toList()));
    figures.put("commands sent by hand", world.probes().size());
    figures.put("starts and thaws", world.recoveries().size());
    figures.put("longest until ready", longest(world) + " ms");
    return new Report(
        title,
        figures,
        others,
        timeline.entries().stream().map(timeline::line).toList(),
        violations);
  }

  private static long longest(World world) {
    return world.recoveries().stream()
        .map(World.Recovery::took)
        .filter(took -> took != null)
        .mapToLong(took -> took.toMillis())
        .max()
        .orElse(0);
  }

  private static Map<String, Long> countBy(List<String> words) {
    return words.stream()
        .collect(Collectors.groupingBy(it -> it, TreeMap::new, Collectors.counting()));
  }

  /** One line that says how it went. */
  String verdict() {
    return violations.isEmpty()
        ? "No violation of %d laws".formatted(Law.values().length)
        : "%d violations".formatted(violations.size());
  }

  /** Everything, for people. */
  String text() {
    List<String> lines = new ArrayList<>(List.of(title, ""));
    figures.forEach((name, value) -> lines.add("%-24s %s".formatted(name, value)));
    lines.add("");
    lines.addAll(others.lines());
    violations.forEach(it -> lines.add("VIOLATION  " + it));
    lines.add(verdict());
    return String.join("\n", lines);
  }

  /** Writes {@code report.md}, {@code report.json} and {@code sagas.svg}. */
  void write(Path folder, String svg) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("sagas.svg"), svg);
    Files.writeString(
        folder.resolve("report.md"),
        """
        ```
        %s
        ```

        ![Sagas per second](sagas.svg)

        What was done: when, for how long, what.

        ```
        %s
        ```
        """
            .formatted(text(), String.join("\n", timeline)));
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("title", title);
    json.put("verdict", verdict());
    json.put("figures", figures);
    json.put("others", others.figures());
    json.put("violations", violations.stream().map(Violation::toString).toList());
    json.put("timeline", timeline);
    new ObjectMapper()
        .enable(SerializationFeature.INDENT_OUTPUT)
        .writeValue(folder.resolve("report.json").toFile(), json);
  }
}
