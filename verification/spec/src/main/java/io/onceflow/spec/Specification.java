package io.onceflow.spec;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * A specification: a TLA+ module among the resources, and a configuration for each {@link Size}.
 */
public enum Specification {
  PARTICIPANT(
      "Participant", "Participant", "Participant: one step and its compensation, two replicas"),
  SAGA("Saga", "Saga", "Saga: two steps, a pivot and a step after it"),
  GUARD_SHARED("Guard", "GuardShared", "Guard, requests that share commits"),
  GUARD_LEASED("Guard", "GuardLeased", "Guard, claims with a lease"),
  OUTBOX("Outbox", "Outbox", "Outbox: publish after commit, confirm, relay");

  private final String module;
  private final String configuration;
  private final String title;

  Specification(String module, String configuration, String title) {
    this.module = module;
    this.configuration = configuration;
    this.title = title;
  }

  /** How much is checked, and of what. */
  public enum Size {
    /** Invariants, within seconds. */
    SAFETY(""),
    /** Properties about what happens some day, for fewer faults. */
    LIVENESS("Ends"),
    /** Invariants for more faults. */
    DEEP("Deep"),
    /** All states of few faults, for paths through them. */
    PATHS("Paths");

    private final String suffix;

    Size(String suffix) {
      this.suffix = suffix;
    }
  }

  /** The name of its TLA+ module. */
  public String module() {
    return module;
  }

  /** What it is about. */
  public String title() {
    return title;
  }

  /** The name of its configurations and of its page. */
  public String page() {
    return configuration;
  }

  String source() {
    return resource(module + ".tla");
  }

  String configuration(Size size) {
    return resource(configuration + size.suffix + ".cfg");
  }

  private static String resource(String name) {
    try (InputStream resource = Specification.class.getResourceAsStream(name)) {
      if (resource == null) {
        throw new IllegalStateException("There is no resource " + name);
      }
      return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
