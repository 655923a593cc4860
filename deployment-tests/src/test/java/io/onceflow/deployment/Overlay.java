package io.onceflow.deployment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The folders that are rendered and applied as a whole. */
public enum Overlay {
  /** kind or minikube. */
  LOCAL("local"),
  /** On the operators of databases and broker. */
  PRODUCTION("production");

  private final String name;

  Overlay(String name) {
    this.name = name;
  }

  /** Where its kustomization.yaml lies. */
  public Path folder() {
    return root().resolve("deploy/kubernetes/overlays").resolve(name);
  }

  /** The text of a file of this checkout. */
  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Of this checkout, from wherever the tests are started. */
  static Path root() {
    Path start = Path.of("").toAbsolutePath();
    for (Path folder = start; folder != null; folder = folder.getParent()) {
      if (Files.exists(folder.resolve("deployment-tests/pom.xml"))) {
        return folder;
      }
    }
    throw new IllegalStateException("%s is not inside of Onceflow's checkout".formatted(start));
  }
}
