package io.onceflow.participant;

import io.onceflow.core.internal.Fingerprint;
import io.onceflow.core.internal.StepKey;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;

/**
 * The idempotency key of one step towards the systems that it calls: the same at each attempt.
 *
 * @param scope whose step it is: two users may choose the same key for unrelated requests
 * @param step the step's key within the scope
 */
public record CallKey(String scope, StepKey step) {

  /** Short enough for every header; longer names are told apart by the digest. */
  private static final int LONGEST_NAME = 48;

  private static final byte[] SEPARATOR = {0};

  /**
   * The key that was stored as its {@link #scope()} and {@link #stepKey()}.
   *
   * @throws IllegalArgumentException if the text is no step key
   */
  public static CallKey of(String scope, String stepKey) {
    return new CallKey(scope, StepKey.parse(stepKey));
  }

  /**
   * The key as one word of at most 113 letters, digits and hyphens, such as {@code
   * reserve-flight-3f5a…}: the step's name and the SHA-256 of scope and key. Neither the user's
   * name nor the client's key can be read from it.
   */
  public String value() {
    String name = step.step().replaceAll("[^A-Za-z0-9-]", "-");
    return name.substring(0, Math.min(name.length(), LONGEST_NAME)) + "-" + digest();
  }

  /** The step's name, such as {@code reserve-flight}. */
  public String stepName() {
    return step.step();
  }

  /** The step key as text, such as {@code 5f0c…:reserve-flight}; unique within the scope. */
  public String stepKey() {
    return step.toString();
  }

  /** Orchestrator and definition; empty for a command that names none. */
  public String origin() {
    return step.origin();
  }

  /** The key of another step of the same saga, such as one that undoes this step. */
  public CallKey sibling(String otherStep) {
    return new CallKey(scope, step.sibling(otherStep));
  }

  /**
   * Whether both are of one step of one origin, under whichever root keys: another orchestrator may
   * use the same ids, and another step does something else.
   */
  public boolean isOfSameStep(CallKey other) {
    return step.origin().equals(other.step.origin()) && step.step().equals(other.step.step());
  }

  /**
   * Whether both are of sagas of one application, of whichever definitions: what has the same id in
   * another application is something else. A command that names no origin matches all.
   */
  public boolean isOfSameApplication(CallKey other) {
    String ours = application();
    String theirs = other.application();
    return ours.isEmpty() || theirs.isEmpty() || ours.equals(theirs);
  }

  private String application() {
    int slash = origin().lastIndexOf('/');
    return slash < 0 ? origin() : origin().substring(0, slash);
  }

  private String digest() {
    MessageDigest sha = Fingerprint.sha256();
    sha.update(scope.getBytes(StandardCharsets.UTF_8));
    sha.update(SEPARATOR);
    sha.update(step.toString().getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(sha.digest());
  }

  @Override
  public String toString() {
    return value();
  }
}
