package io.onceflow.saga;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A saga's steps in their order, as data.
 *
 * <pre>{@code
 * static final SagaDefinition<PlaceOrder> DEFINITION =
 *     saga("place-order", 1,
 *         step("process-payment").send(PlaceOrder::processPayment).compensateWith("refund-payment", PlaceOrder::refundPayment).replyWithin(ofSeconds(10)),
 *         step("arrange-shipment").send(PlaceOrder::arrangeShipment).compensateWith("cancel-shipment", PlaceOrder::cancelShipment).replyWithin(ofSeconds(10)),
 *         pivot("confirm-order").run(PlaceOrder::confirm));
 * }</pre>
 *
 * @param <D> the subject
 */
public final class SagaDefinition<D extends SagaSubject<D>> {

  /** Longer than any outage that a customer would wait for, and it leaves a weekend no backlog. */
  public static final Duration DEFAULT_DEADLINE = Duration.ofDays(1);

  private final String name;
  private final int version;
  private final List<Part<D>> parts;
  private final List<Step<D>> steps;
  private final Duration deadline;

  /**
   * @param name what the saga is called, such as {@code place-order}
   * @param version from 1 on; a saga keeps the version that it was started with, so a definition
   *     whose steps change gets a new one
   * @param parts in the order in which they are taken
   * @throws SagaDefinitionInvalid if the saga could not run as defined
   */
  public SagaDefinition(String name, int version, List<? extends Part<D>> parts) {
    this(name, version, List.copyOf(parts), DEFAULT_DEADLINE);
  }

  private SagaDefinition(String name, int version, List<Part<D>> parts, Duration deadline) {
    this.name = name;
    this.version = version;
    this.parts = parts;
    this.steps = parts.stream().flatMap(part -> part.members().stream()).toList();
    this.deadline = deadline;
    DefinitionRules.check(this);
  }

  /** Defines a saga of these parts, taken in this order. */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read, here and in List.of
  public static <D extends SagaSubject<D>> SagaDefinition<D> saga(
      String name, int version, Part<D>... parts) {
    return new SagaDefinition<>(name, version, List.of(parts));
  }

  /** Begins a step: it goes on with {@code send} or {@code run}. */
  public static Step.Named step(String name) {
    return new Step.Named(name);
  }

  /** Begins the pivot: it goes on with {@code run}. */
  public static Step.NamedPivot pivot(String name) {
    return new Step.NamedPivot(name);
  }

  /** Steps that run at the same time. */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read, here and in List.of
  public static <D extends SagaSubject<D>> Together<D> together(Step.Send<D>... steps) {
    return new Together<>(List.of(steps));
  }

  /**
   * The same definition with a deadline: a saga that has not reached its pivot when this much time
   * has passed since its start is undone. The default is {@link #DEFAULT_DEADLINE}.
   *
   * @param longest positive
   */
  public SagaDefinition<D> within(Duration longest) {
    return new SagaDefinition<>(name, version, parts, longest);
  }

  /** What the saga is called. */
  public String name() {
    return name;
  }

  /** From 1 on. */
  public int version() {
    return version;
  }

  /** In the order in which they are taken. */
  public List<Part<D>> parts() {
    return parts;
  }

  /** All steps, those that are taken together one after the other. */
  public List<Step<D>> steps() {
    return steps;
  }

  /** How long a saga may take to its pivot before it is undone. */
  public Duration deadline() {
    return deadline;
  }

  /**
   * The step of this name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public Step<D> stepNamed(String stepName) {
    return steps.stream()
        .filter(step -> step.name().equals(stepName))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("saga " + this + " has no step " + stepName));
  }

  /** The step that the compensation of this name undoes; empty if no step is undone by it. */
  public Optional<Step<D>> compensatedBy(String compensation) {
    return steps.stream()
        .filter(step -> step.compensation().filter(c -> c.name().equals(compensation)).isPresent())
        .findFirst();
  }

  /** The pivot; empty when the saga can be undone until its very end. */
  public Optional<Step<D>> pivot() {
    return steps.stream().filter(step -> step instanceof Step.Pivot).findFirst();
  }

  /** Whether a step comes after the pivot, where the saga only goes forward. */
  boolean isPastPivot(Step<?> step) {
    return pivot().filter(pivot -> steps.indexOf(step) > steps.indexOf(pivot)).isPresent();
  }

  /** The name and version, as in {@code place-order v1}. */
  @Override
  public String toString() {
    return name + " v" + version;
  }
}
