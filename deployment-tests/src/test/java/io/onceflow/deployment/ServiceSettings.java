package io.onceflow.deployment;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;

/** The application.properties that a service is built with. */
record ServiceSettings(Properties properties) {

  static ServiceSettings of(String service) {
    Properties properties = new Properties();
    String file = service + "/src/main/resources/application.properties";
    try (StringReader text = new StringReader(Overlay.read(Overlay.root().resolve(file)))) {
      properties.load(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new ServiceSettings(properties);
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
