package io.onceflow.saga;

import java.util.List;

/**
 * What a definition lists: a step, or steps that are taken together.
 *
 * @param <D> the subject
 */
public sealed interface StepGroup<D> permits Step, ParallelSteps {

  /** Its steps; one, unless they are taken together. */
  List<Step<D>> members();
}
