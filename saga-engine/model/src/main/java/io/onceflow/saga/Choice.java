package io.onceflow.saga;

import io.onceflow.saga.SagaDefinition.StepGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * One of several ways to go on. It is decided once, in the transaction that reaches it, by the
 * subject as the steps before have left it; the steps of the other branches are {@link
 * Saga.StepStatus#SKIPPED}, and have nothing to compensate.
 *
 * <pre>{@code
 * choice("deposit")
 *     .when("large", Rental::isLarge, step("take-deposit").send(TakeDeposit.class, Rental::deposit))
 *     .otherwise()
 * }</pre>
 *
 * @param <D> the subject
 */
public final class Choice<D> implements Step<D> {

  /** The branch that is taken where no other is. */
  public static final String OTHERWISE = "otherwise";

  private final String name;
  private final List<Branch<D>> branches;

  private Choice(String name, List<Branch<D>> branches) {
    this.name = name;
    this.branches = List.copyOf(branches);
  }

  /**
   * One way to go on.
   *
   * @param name unique in its choice; recorded when it is taken
   * @param condition whether it is taken, unless one before it is
   * @param parts in the order in which they are taken; none to go on behind the choice at once
   */
  public record Branch<D>(String name, Predicate<? super D> condition, List<StepGroup<D>> parts) {}

  /** A choice's name; its first branch follows. */
  public record Named(String name) {

    /** The branch that is taken if the condition is met. */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read, in List.of
    public final <D> Open<D> when(
        String branch, Predicate<? super D> condition, StepGroup<D>... parts) {
      return new Open<>(name, List.of(new Branch<>(branch, condition, List.of(parts))));
    }
  }

  /** A choice to which branches are added; the last one is {@code otherwise}. */
  public record Open<D>(String name, List<Branch<D>> branches) {

    /** The branch that is taken if its condition is met, and that of no branch before. */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read, in List.of
    public final Open<D> when(
        String branch, Predicate<? super D> condition, StepGroup<D>... parts) {
      return new Open<>(name, and(new Branch<>(branch, condition, List.of(parts))));
    }

    /** What is done if no condition is met: nothing, where no parts are given. */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read, in List.of
    public final Choice<D> otherwise(StepGroup<D>... parts) {
      return new Choice<>(name, and(new Branch<>(OTHERWISE, subject -> true, List.of(parts))));
    }

    private List<Branch<D>> and(Branch<D> branch) {
      List<Branch<D>> all = new ArrayList<>(branches);
      all.add(branch);
      return List.copyOf(all);
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean isPivot() {
    return false;
  }

  /** The branches in the order in which their conditions are asked; the last one is always met. */
  public List<Branch<D>> branches() {
    return branches;
  }

  @Override
  public List<List<StepGroup<D>>> ways() {
    return branches.stream().map(Branch::parts).toList();
  }

  /** The branch that such a subject takes. */
  public Branch<D> of(D subject) {
    return branches.stream()
        .filter(branch -> branch.condition().test(subject))
        .findFirst()
        .orElseThrow();
  }

  /**
   * The branch of this name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public Branch<D> branch(String branch) {
    return branches.stream()
        .filter(each -> each.name().equals(branch))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("choice " + name + " has no branch " + branch));
  }

  @Override
  public String toString() {
    return name + branches.stream().map(it -> it.name() + it.parts()).toList();
  }
}
