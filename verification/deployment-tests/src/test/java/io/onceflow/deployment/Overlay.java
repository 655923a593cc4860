package io.onceflow.deployment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The folders that are rendered and applied as a whole. */
public enum Overlay {
  /** kind or minikube. */
  LOCAL("deploy/kubernetes/overlays/local"),
  /** On the operators of databases and broker. */
  PRODUCTION("deploy/kubernetes/overlays/production"),
  /** Production with the component that exports traces. */
  TRACED("verification/deployment-tests/src/test/resources/overlays/traced"),
  /** Production with Redis in front of PostgreSQL. */
  CACHED("verification/deployment-tests/src/test/resources/overlays/cached"),
  /** Production that charges by Stripe. */
  STRIPE("verification/deployment-tests/src/test/resources/overlays/stripe"),
  /** Production whose services read the broker's management API. */
  MANAGED("verification/deployment-tests/src/test/resources/overlays/managed"),
  /** Production with services of half the memory. */
  SMALL("verification/deployment-tests/src/test/resources/overlays/small"),
  /** Production on Kafka in place of RabbitMQ. */
  KAFKA("verification/deployment-tests/src/test/resources/overlays/kafka"),
  /** Kafka where there is neither KEDA nor a Prometheus Operator. */
  LOCAL_KAFKA("verification/deployment-tests/src/test/resources/overlays/local-kafka");

  private final String path;

  Overlay(String path) {
    this.path = path;
  }

  /** Where its kustomization.yaml lies. */
  public Path folder() {
    return root().resolve(path);
  }

  /** The file that lists what it refers to and does not hold. */
  Path provided() {
    Overlay holder = this == LOCAL || this == LOCAL_KAFKA ? LOCAL : PRODUCTION;
    return holder.folder().resolve("provided.yaml");
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
      if (Files.exists(folder.resolve("verification/deployment-tests/pom.xml"))) {
        return folder;
      }
    }
    throw new IllegalStateException("%s is not inside of Onceflow's checkout".formatted(start));
  }
}
