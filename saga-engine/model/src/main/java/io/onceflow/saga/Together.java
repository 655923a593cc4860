package io.onceflow.saga;

import java.util.List;

/**
 * Steps that run at the same time. All are sent at once; the saga goes on when the last of them has
 * succeeded. When one fails, the outcome of each of the others is awaited, and whatever has or may
 * have taken effect is undone, at the same time as well, before anything that came earlier.
 *
 * @param steps at least two
 * @param <D> the subject
 */
public record Together<D>(List<Step.Send<D>> steps) implements Part<D> {

  /** Copies the steps. */
  public Together {
    steps = List.copyOf(steps);
  }

  @Override
  public List<Step<D>> members() {
    return List.copyOf(steps);
  }
}
