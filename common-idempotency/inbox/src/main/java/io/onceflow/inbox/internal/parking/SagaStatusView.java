package io.onceflow.inbox.internal.parking;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * As much of a saga, as the service that keeps it shows it, as decides whether a command is wanted.
 *
 * @param reason why it is or was undone; null while nothing speaks against it
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record SagaStatusView(String status, @Nullable String reason, List<Step> steps) {

  private static final Set<String> ENDED = Set.of("COMPLETED", "COMPENSATED");

  SagaStatusView {
    Objects.requireNonNull(status, "status");
    Objects.requireNonNull(steps, "steps");
  }

  /**
   * A step.
   *
   * @param compensation its undoing; null while it is not being undone
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Step(String name, String status, @Nullable Undoing compensation) {

    /** Whether a command of this name, the step's own or that of its undoing, is waited for. */
    boolean wants(String command) {
      return switch (status) {
        case "WAITING" -> name.equals(command);
        case "COMPENSATING" -> compensation != null && compensation.name().equals(command);
        default -> false;
      };
    }
  }

  /** The undoing of a step. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Undoing(String name) {}

  /**
   * @param step what the command is for; empty when that is not known, and then only the saga's end
   *     speaks against it
   */
  Optional<String> objection(Optional<String> step) {
    if (ENDED.contains(status)) {
      return Optional.of("Its saga has ended: " + whereItStands());
    }
    return step.filter(it -> steps.stream().noneMatch(known -> known.wants(it)))
        .map(it -> "Its saga does not wait for %s now: %s".formatted(it, whereItStands()));
  }

  private String whereItStands() {
    return reason == null ? status + "." : "%s, because of %s.".formatted(status, reason);
  }
}
