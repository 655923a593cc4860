package io.onceflow.spec;

import io.onceflow.spec.StateGraph.Edge;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Paths through the states of {@code Participant.tla} as text: first the different contents of the
 * tables, each with a number, then a path a line. Its actions have their parameters, and {@code =}
 * with the number of what is in the tables, where that has changed.
 */
final class ParticipantPaths {

  private static final Pattern WORK =
      Pattern.compile("(r\\d):>\\[token\\|->(\\d+),at\\|->(\\w+),step\\|->(\\w+),held\\|->(\\w+)]");
  private static final Pattern ROW =
      Pattern.compile(
          "(charge|refund)\\|->\\[status\\|->(\\w+),token\\|->(\\d+),leased\\|->(\\w+),"
              + "stored\\|->(\\w+),outcome\\|->(\\w+)]");
  private static final Pattern COUNT = Pattern.compile("(charge|refund)\\|->(\\d+)");
  private static final Pattern CALL = Pattern.compile("<<(\\w+),0(?:,(\\w+))?>>");
  private static final Pattern REPLY = Pattern.compile("<<(\\w+),(\\w+)>>");

  private final StateGraph graph;
  private final Map<String, Integer> tables = new LinkedHashMap<>();
  private final List<String> paths = new ArrayList<>();

  private ParticipantPaths(StateGraph graph) {
    this.graph = graph;
  }

  /** Paths that cover whatever a replica does about each content of its rows. */
  static List<String> of(StateGraph graph) {
    ParticipantPaths written = new ParticipantPaths(graph);
    written.tables.put(written.tablesIn(0), 0);
    CoveringPaths.of(graph, written::covered).forEach(written::add);
    return Stream.concat(
            written.tables.entrySet().stream().map(it -> it.getValue() + ": " + it.getKey()),
            written.paths.stream())
        .toList();
  }

  private void add(List<Edge> path) {
    List<String> steps = new ArrayList<>();
    for (Edge edge : path) {
      String before = tablesIn(edge.from());
      String after = tablesIn(edge.to());
      int number = tables.computeIfAbsent(after, it -> tables.size());
      steps.add(event(edge) + (before.equals(after) ? "" : " =" + number));
    }
    paths.add(String.join(", ", steps));
  }

  /**
   * What tells one case of an action from another. What a replica does follows from its work, the
   * rows, and whether the charge has expired; what the saga and the broker do is the same always.
   */
  private String covered(Edge edge) {
    String rows = graph.value(edge.from(), "row");
    String worker = worker(edge);
    String work = worker.isEmpty() ? "" : matches(WORK, "work", edge.from()).get(worker);
    return switch (edge.action()) {
      case "Handle", "Recover" -> {
        String late = graph.value(edge.from(), "late");
        yield String.join(" ", edge.action(), work, rows, late, graph.value(edge.to(), "row"));
      }
      case "Conclude", "GiveUp" ->
          String.join(" ", edge.action(), work, rows, graph.value(edge.to(), "row"));
      case "LeaseEnds" -> String.join(" ", edge.action(), rows, graph.value(edge.to(), "row"));
      case "Crash" -> String.join(" ", edge.action(), work, rows);
      default -> edge.action();
    };
  }

  /** The replica whose work changes; empty if none's does. */
  private String worker(Edge edge) {
    return changed(matches(WORK, "work", edge.from()), matches(WORK, "work", edge.to()));
  }

  /** The action with its parameters, which TLC does not name: what it changes tells them. */
  private String event(Edge edge) {
    String worker = worker(edge);
    return switch (edge.action()) {
      case "Send" ->
          "Send "
              + changed(matches(COUNT, "queue", edge.from()), matches(COUNT, "queue", edge.to()));
      case "LeaseEnds" ->
          "LeaseEnds " + changed(matches(ROW, "row", edge.from()), matches(ROW, "row", edge.to()));
      case "Take", "Recover" -> "%s %s %s".formatted(edge.action(), worker, step(edge, worker));
      case "Call" -> "Call " + caller(edge);
      case "Next" -> "CarryOut " + carriedOut(edge);
      case "Cancel", "Expire" -> edge.action();
      default -> edge.action() + " " + worker;
    };
  }

  private String step(Edge edge, String worker) {
    return matches(WORK, "work", edge.to()).get(worker).split(" ")[2];
  }

  private String caller(Edge edge) {
    String step = changed(matches(CALL, "calls", edge.from()), matches(CALL, "calls", edge.to()));
    return matches(WORK, "work", edge.from()).entrySet().stream()
        .filter(it -> it.getValue().contains("call " + step))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElseThrow();
  }

  private String carriedOut(Edge edge) {
    Map<String, String> seen = matches(CALL, "seen", edge.to());
    String step = changed(matches(CALL, "seen", edge.from()), seen);
    return step + " " + seen.get(step);
  }

  /** The one key whose value is another in the second map; empty if there is none. */
  private static String changed(Map<String, String> before, Map<String, String> after) {
    return after.entrySet().stream()
        .filter(it -> !it.getValue().equals(before.get(it.getKey())))
        .map(Map.Entry::getKey)
        .collect(Collectors.joining(" "));
  }

  /** What is found in a variable's value: the first group, and the others. */
  private Map<String, String> matches(Pattern pattern, String variable, int state) {
    Map<String, String> found = new LinkedHashMap<>();
    Matcher matcher = pattern.matcher(graph.value(state, variable));
    while (matcher.find()) {
      List<String> others = new ArrayList<>();
      for (int i = 2; i <= matcher.groupCount(); i++) {
        others.add(String.valueOf(matcher.group(i)));
      }
      found.put(matcher.group(1), String.join(" ", others));
    }
    return found;
  }

  /** Rows of the inbox, the payment, and the replies that were ever committed. */
  private String tablesIn(int state) {
    String rows =
        ROW.matcher(graph.value(state, "row"))
            .results()
            .filter(row -> !row.group(2).equals("none"))
            .map(row -> row(row) + "; ")
            .collect(Collectors.joining());
    String replies =
        REPLY
            .matcher(graph.value(state, "said"))
            .results()
            .map(reply -> reply.group(1) + " " + reply.group(2))
            .sorted()
            .collect(Collectors.joining(", ", "[", "]"));
    return rows + "books " + graph.value(state, "books") + "; replies " + replies;
  }

  private static String row(MatchResult row) {
    boolean isCompleted = row.group(2).equals("completed");
    return "%s: %s, token %s%s%s%s"
        .formatted(
            row.group(1),
            row.group(2).toUpperCase(Locale.ROOT),
            row.group(3),
            row.group(4).equals("TRUE") ? ", leased" : "",
            row.group(5).equals("TRUE") ? ", stored" : "",
            isCompleted ? ", " + row.group(6) : "");
  }
}
