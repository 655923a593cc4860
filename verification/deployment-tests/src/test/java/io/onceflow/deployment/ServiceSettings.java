package io.onceflow.deployment;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;

/** The settings that a service is built with: its own, and the defaults of the extension. */
record ServiceSettings(Properties properties) {

  private static final String EXTENSION = "<artifactId>quarkus-onceflow</artifactId>";

  static ServiceSettings of(String service) {
    Properties properties = new Properties();
    if (Overlay.read(Overlay.root().resolve(service + "/pom.xml")).contains(EXTENSION)) {
      load(
          properties,
          "quarkus-onceflow/runtime/src/main/resources/META-INF/microprofile-config.properties");
    }
    load(properties, service + "/src/main/resources/application.properties");
    return new ServiceSettings(properties);
  }

  private static void load(Properties properties, String file) {
    try (StringReader text = new StringReader(Overlay.read(Overlay.root().resolve(file)))) {
      properties.load(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int number(String key) {
    return Integer.parseInt(properties.getProperty(key));
  }

  /** What its keys are called in the environment. */
  Set<String> environment() {
    Set<String> names = new TreeSet<>();
    for (String key : properties.stringPropertyNames()) {
      names.add(key.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT));
    }
    return names;
  }
}
