package io.onceflow.launcher.topology;

import io.onceflow.launcher.stack.LaunchException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Resources of Kubernetes in one file. */
final class Documents {

  private static final String HEAD =
      """
      # Generated from the services' code and settings; docs/operations/kubernetes.md, "Changing the broker's topology", says how.
      """;

  /** By kind and name. */
  private final Map<String, String> resources = new LinkedHashMap<>();

  /** Adds one; a second of the same name would replace the first in the cluster. */
  void add(String kind, String name, String resource) {
    if (resources.putIfAbsent(kind + " " + name, resource) != null) {
      throw new LaunchException(
          "Two resources of the kind %s would be named %s; one of the names that they are made of has to change"
              .formatted(kind, name));
    }
  }

  /**
   * The file.
   *
   * @param comment after the first line; may be empty
   */
  String file(String comment) {
    return HEAD + comment + text();
  }

  String text() {
    return String.join("---\n", resources.values());
  }

  /** A name of the broker as one of a resource: letters of one case, digits and dashes. */
  static String name(String ofBroker) {
    return nameWithDots(ofBroker).replace('.', '-');
  }

  /** The same where the resource's name may hold dots. */
  static String nameWithDots(String ofBroker) {
    return ofBroker.toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
