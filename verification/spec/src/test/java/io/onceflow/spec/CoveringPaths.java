package io.onceflow.spec;

import io.onceflow.spec.StateGraph.Edge;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Paths from the first state of a graph that cover every kind of edge: each continues to the
 * nearest edge of a kind that is still missing, as long as that is not far.
 */
final class CoveringPaths {

  private static final int LONGEST = 40;

  private final StateGraph graph;
  private final Map<Edge, String> kinds = new HashMap<>();
  private final Set<String> missing = new HashSet<>();

  private CoveringPaths(StateGraph graph, Function<Edge, String> kind) {
    this.graph = graph;
    for (int state = 0; state < graph.size(); state++) {
      graph.from(state).forEach(edge -> kinds.put(edge, kind.apply(edge)));
    }
    missing.addAll(kinds.values());
  }

  /**
   * The paths.
   *
   * @param kind what is to be covered by an edge
   */
  static List<List<Edge>> of(StateGraph graph, Function<Edge, String> kind) {
    CoveringPaths covering = new CoveringPaths(graph, kind);
    List<List<Edge>> paths = new ArrayList<>();
    while (!covering.missing.isEmpty()) {
      paths.add(covering.next());
    }
    return paths;
  }

  private List<Edge> next() {
    List<Edge> path = new ArrayList<>();
    int state = 0;
    List<Edge> more = nearest(state);
    do {
      more.forEach(edge -> missing.remove(kinds.get(edge)));
      path.addAll(more);
      state = more.getLast().to();
      more = nearest(state);
    } while (!more.isEmpty() && path.size() + more.size() <= LONGEST);
    return path;
  }

  /** The shortest way to an edge that is missing, with it; empty if none can be reached. */
  private List<Edge> nearest(int start) {
    @Nullable Edge[] reachedBy = new Edge[graph.size()];
    Deque<Integer> next = new ArrayDeque<>(List.of(start));
    while (!next.isEmpty()) {
      int state = next.remove();
      for (Edge edge : graph.from(state)) {
        if (missing.contains(kinds.get(edge))) {
          return way(start, edge, reachedBy);
        }
        if (edge.to() != start && reachedBy[edge.to()] == null) {
          reachedBy[edge.to()] = edge;
          next.add(edge.to());
        }
      }
    }
    return List.of();
  }

  private static List<Edge> way(int start, Edge last, @Nullable Edge[] reachedBy) {
    List<Edge> way = new ArrayList<>(List.of(last));
    for (int state = last.from(); state != start; state = way.getFirst().from()) {
      Edge edge = reachedBy[state];
      if (edge == null) {
        throw new IllegalStateException("state " + state + " was not reached");
      }
      way.addFirst(edge);
    }
    return way;
  }
}
