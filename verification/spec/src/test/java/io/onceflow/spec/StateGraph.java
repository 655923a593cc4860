package io.onceflow.spec;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * All states of a model and what leads from one to another, in the order in which TLC found them.
 */
final class StateGraph {

  private static final Pattern EDGE = Pattern.compile("(-?\\d+) -> (-?\\d+) \\[label=\"(\\w+)\".*");
  private static final Pattern NODE =
      Pattern.compile("(-?\\d+) \\[label=\"(.*?)\"(?:,style = filled)?\\];?");

  private final Map<String, Integer> numbers = new HashMap<>();
  private final List<Map<String, String>> states = new ArrayList<>();
  private final List<List<Edge>> edges = new ArrayList<>();

  /**
   * An action that leads from one state to another.
   *
   * @param action its name, without parameters; {@code Next} where TLC knows none
   */
  record Edge(String action, int from, int to) {}

  private StateGraph() {}

  /** Reads what TLC's {@code -dump dot,actionlabels} has written. */
  static StateGraph read(Path dot) throws IOException {
    StateGraph graph = new StateGraph();
    Map<String, String> values = new HashMap<>();
    try (BufferedReader lines = Files.newBufferedReader(dot)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        graph.read(line, values);
      }
    }
    return graph;
  }

  private void read(String line, Map<String, String> values) {
    Matcher edge = EDGE.matcher(line);
    Matcher node = NODE.matcher(line);
    if (edge.matches()) {
      int from = number(edge.group(1));
      edges.get(from).add(new Edge(edge.group(3), from, number(edge.group(2))));
    } else if (node.matches()) {
      states.set(number(node.group(1)), variables(node.group(2), values));
    }
  }

  private int number(String fingerprint) {
    return numbers.computeIfAbsent(
        fingerprint,
        it -> {
          states.add(Map.of());
          edges.add(new ArrayList<>());
          return states.size() - 1;
        });
  }

  /** Values of the variables, without blanks and quotation marks; equal ones are kept once. */
  private static Map<String, String> variables(String label, Map<String, String> values) {
    Map<String, String> variables = new HashMap<>();
    for (String conjunct : label.split("(^|\\\\n)/\\\\\\\\ ")) {
      String[] parts = conjunct.split(" = ", 2);
      if (parts.length == 2) {
        String value = parts[1].replaceAll("\\\\n|\\\\\"|\\s", "");
        variables.put(parts[0], values.computeIfAbsent(value, it -> it));
      }
    }
    return variables;
  }

  /** The first one is where it starts. */
  int size() {
    return states.size();
  }

  /** The value of a variable in a state. */
  String value(int state, String variable) {
    String value = states.get(state).get(variable);
    if (value == null) {
      throw new IllegalArgumentException(
          "state %s has no %s: %s".formatted(state, variable, states.get(state)));
    }
    return value;
  }

  /** What can happen in a state. */
  List<Edge> from(int state) {
    return List.copyOf(edges.get(state));
  }
}
