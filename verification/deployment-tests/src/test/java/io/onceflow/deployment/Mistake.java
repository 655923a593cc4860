package io.onceflow.deployment;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.onceflow.deployment.kustomize.Yaml;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A mistake that is made on purpose: a row of {@code planted-mistakes.txt}, which says what each
 * may be.
 *
 * @param object by its kind and its name, or the beginning of it where a hash follows
 * @param check that is to notice it
 * @param said what the check has to say of it
 */
record Mistake(
    String name, Overlay overlay, String object, String change, String check, String said) {

  private static final String TABLE =
      "verification/deployment-tests/src/test/resources/planted-mistakes.txt";
  private static final Pattern BETWEEN = Pattern.compile("\\s+\\|\\s+");
  private static final String PROVIDED = "provided ";
  private static final String SET = "set ";
  private static final String REMOVE = "remove ";
  private static final String TAKE = "take from ";

  /** In the order of the table. */
  static Stream<Mistake> all() {
    return Overlay.read(Overlay.root().resolve(TABLE))
        .lines()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .map(Mistake::parse);
  }

  private static Mistake parse(String row) {
    String[] cells = BETWEEN.split(row);
    if (cells.length != 6) {
      throw new IllegalArgumentException("%d cells: %s".formatted(cells.length, row));
    }
    return new Mistake(cells[0], Overlay.valueOf(cells[1]), cells[2], cells[3], cells[4], cells[5]);
  }

  void plantIn(Cluster cluster) {
    if (change.equals("remove")) {
      cluster.manifests().remove(find(cluster));
    } else if (change.startsWith(TAKE)) {
      cluster.manifests().add(find(Cluster.of(Overlay.valueOf(after(TAKE)))));
    } else if (change.startsWith(REMOVE)) {
      JsonPointer path = JsonPointer.compile(after(REMOVE));
      ((ObjectNode) target(cluster).at(path.head())).remove(path.last().getMatchingProperty());
    } else if (change.startsWith(SET)) {
      String[] value = after(SET).split(": ", 2);
      write(target(cluster), JsonPointer.compile(value[0]), value[1]);
    } else {
      throw new IllegalArgumentException(change);
    }
  }

  private String after(String verb) {
    return change.substring(verb.length());
  }

  private static void write(ObjectNode target, JsonPointer path, String yaml) {
    String last = path.last().getMatchingProperty();
    switch (target.at(path.head())) {
      case ObjectNode object -> object.set(last, Yaml.tree(yaml));
      case ArrayNode list -> list.set(Integer.parseInt(last), Yaml.tree(yaml));
      default -> throw new IllegalArgumentException("There is no %s".formatted(path));
    }
  }

  private ObjectNode target(Cluster cluster) {
    if (!object.startsWith(PROVIDED)) {
      return find(cluster).json();
    }
    String[] wanted = object.substring(PROVIDED.length()).split(" ");
    return cluster.provided().stream()
        .filter(each -> each.path("kind").asText().equals(wanted[0]))
        .filter(each -> each.path("name").asText().equals(wanted[1]))
        .findFirst()
        .orElseThrow(this::isMissing);
  }

  private Manifest find(Cluster cluster) {
    return cluster.manifests().stream()
        .filter(each -> each.toString().equals(object))
        .findFirst()
        .or(
            () ->
                cluster.manifests().stream()
                    .filter(each -> each.toString().startsWith(object + "-"))
                    .findFirst())
        .orElseThrow(this::isMissing);
  }

  private IllegalArgumentException isMissing() {
    return new IllegalArgumentException("There is no %s".formatted(object));
  }

  @Override
  public String toString() {
    return name;
  }
}
