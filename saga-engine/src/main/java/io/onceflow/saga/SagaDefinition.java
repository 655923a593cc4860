package io.onceflow.saga;

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
 * @param name what the saga is called, such as {@code place-order}
 * @param version from 1 on; a saga keeps the version that it was started with, so a definition
 *     whose steps change gets a new one
 * @param steps in the order in which they are taken
 * @param <D> the subject
 */
public record SagaDefinition<D extends SagaSubject<D>>(
    String name, int version, List<Step<D>> steps) {

  /**
   * @throws SagaDefinitionInvalid if the saga could not run as defined
   */
  public SagaDefinition {
    steps = List.copyOf(steps);
    DefinitionRules.check(name, version, steps);
  }

  /** Defines a saga of these steps, taken in this order. */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read, here and in List.of
  public static <D extends SagaSubject<D>> SagaDefinition<D> saga(
      String name, int version, Step<D>... steps) {
    return new SagaDefinition<>(name, version, List.of(steps));
  }

  /** Begins a step: it goes on with {@code send} or {@code run}. */
  public static Step.Named step(String name) {
    return new Step.Named(name);
  }

  /** Begins the pivot: it goes on with {@code run}. */
  public static Step.NamedPivot pivot(String name) {
    return new Step.NamedPivot(name);
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

  /** The name and version, as in {@code place-order v1}. */
  @Override
  public String toString() {
    return name + " v" + version;
  }
}
