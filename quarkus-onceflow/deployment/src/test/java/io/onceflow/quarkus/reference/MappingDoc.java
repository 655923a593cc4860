package io.onceflow.quarkus.reference;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What the sources say of a config mapping.
 *
 * @param type the interface
 * @param prefix of all its keys
 * @param javadoc of the interface
 * @param atBuildTime whether its values are fixed when the application is built
 * @param keys in the order of the source
 */
record MappingDoc(String type, String prefix, String javadoc, boolean atBuildTime, List<Key> keys) {

  /**
   * One key.
   *
   * @param name the whole key; a part that the application chooses is {@code "name"}
   * @param type of its value, in words
   * @param defaultValue empty where it has none
   * @param required whether the application does not start without it
   * @param group the simple name of the interface that declares it
   * @param method the name of the method that declares it
   * @param javadoc of that method
   * @param values of an enum
   */
  record Key(
      String name,
      String type,
      Optional<String> defaultValue,
      boolean required,
      String group,
      String method,
      String javadoc,
      List<Value> values) {

    /** The environment variable that sets it, by the rules of MicroProfile Config. */
    String environmentVariable() {
      return name.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
    }
  }

  /**
   * One value of an enum.
   *
   * @param name as it is written in a property
   * @param javadoc of the constant
   */
  record Value(String name, String javadoc) {}
}
