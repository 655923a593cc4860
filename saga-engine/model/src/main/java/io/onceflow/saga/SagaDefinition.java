package io.onceflow.saga;

import io.onceflow.message.Done;
import io.onceflow.saga.internal.Compensation;
import io.onceflow.saga.internal.OutgoingCommand;
import io.onceflow.saga.internal.RecordCommand;
import io.onceflow.saga.internal.Reply;
import io.onceflow.saga.internal.ReplyHandlers;
import io.onceflow.saga.internal.SagaDefinitionInvalid;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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
public final class SagaDefinition<D> {

  /** Longer than any outage that a customer would wait for, and it leaves a weekend no backlog. */
  public static final Duration DEFAULT_DEADLINE = Duration.ofDays(1);

  private final String name;
  private final int version;
  private final List<StepGroup<D>> parts;
  private final List<Step<D>> steps;
  private final Duration deadline;
  private final BiFunction<D, String, D> compensated;
  private final Map<String, Function<? super D, ?>> searchable;

  /**
   * @param name what the saga is called, such as {@code place-order}
   * @param version from 1 on; a saga keeps the version that it was started with, so a definition
   *     whose steps change gets a new one
   * @param parts in the order in which they are taken
   * @throws SagaDefinitionInvalid if the saga could not run as defined
   */
  public SagaDefinition(String name, int version, List<? extends StepGroup<D>> parts) {
    this(
        name,
        version,
        List.copyOf(parts),
        DEFAULT_DEADLINE,
        (subject, reason) -> subject,
        Map.of());
  }

  private SagaDefinition(
      String name,
      int version,
      List<StepGroup<D>> parts,
      Duration deadline,
      BiFunction<D, String, D> compensated,
      Map<String, Function<? super D, ?>> searchable) {
    this.name = name;
    this.version = version;
    this.parts = parts;
    this.steps = parts.stream().flatMap(part -> part.members().stream()).toList();
    this.deadline = deadline;
    this.compensated = compensated;
    this.searchable = searchable;
    DefinitionRules.check(this);
  }

  /** Defines a saga of these parts, taken in this order. */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read, here and in List.of
  public static <D> SagaDefinition<D> saga(String name, int version, StepGroup<D>... parts) {
    return new SagaDefinition<>(name, version, List.of(parts));
  }

  /** Begins a step: it goes on with {@code send} or {@code run}. */
  public static Step.Named step(String name) {
    return new Step.Named(name, false);
  }

  /** Begins the pivot: it goes on with {@code send} or {@code run}. */
  public static Step.Named pivot(String name) {
    return new Step.Named(name, true);
  }

  /** Steps that run at the same time. */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read, here and in List.of
  public static <D> StepGroup<D> together(Step.Send<D>... steps) {
    return new ParallelSteps<>(List.of(steps));
  }

  /**
   * The same definition with a deadline: a saga that has not reached its pivot when this much time
   * has passed since its start is undone. The default is {@link #DEFAULT_DEADLINE}.
   *
   * @param longest positive
   */
  public SagaDefinition<D> within(Duration longest) {
    return new SagaDefinition<>(name, version, parts, longest, compensated, searchable);
  }

  /**
   * The same definition, where the subject takes note that every step has been undone.
   *
   * @param change from the subject and the reason, that of the refusal which turned the saga round
   */
  @SuppressWarnings("overloads") // a method reference either returns the subject or does not
  public SagaDefinition<D> onCompensated(BiFunction<D, String, D> change) {
    return new SagaDefinition<>(name, version, parts, deadline, change, searchable);
  }

  /** As {@link #onCompensated(BiFunction)}, where the subject is changed in place. */
  @SuppressWarnings("overloads") // a method reference either returns the subject or does not
  public SagaDefinition<D> onCompensated(BiConsumer<D, String> change) {
    return onCompensated(
        (subject, reason) -> {
          change.accept(subject, reason);
          return subject;
        });
  }

  /**
   * The same definition, where operators find a saga by an attribute of its subject, such as an
   * order number. The attribute is read when the saga starts and kept as text, up to 200 characters
   * of it, in the orchestrator's database until the saga is deleted; viewers do not see it. Each
   * costs a row for each saga, so declare what people really ask for. Sagas that were started
   * before have none.
   *
   * @param attribute its name: at most 64 letters, digits, '-', '_' and '.'
   * @param value from the subject; null where it has none
   * @throws SagaDefinitionInvalid if the name does not fit, is declared already, or is one too many
   */
  public SagaDefinition<D> searchableBy(
      String attribute, Function<? super D, ? extends @Nullable Object> value) {
    DefinitionRules.checkSearchable(name, searchable.keySet(), attribute);
    Map<String, Function<? super D, ?>> all = new LinkedHashMap<>(searchable);
    all.put(attribute, value);
    return new SagaDefinition<>(
        name, version, parts, deadline, compensated, Collections.unmodifiableMap(all));
  }

  /** The attributes that operators find sagas by, in the order of their declaration. */
  public Set<String> searchable() {
    return searchable.keySet();
  }

  /** What a subject has of these attributes. */
  public Map<String, String> attributes(D subject) {
    Map<String, String> found = new LinkedHashMap<>();
    searchable.forEach(
        (attribute, value) -> {
          Object of = value.apply(subject);
          if (of != null) {
            found.put(attribute, of.toString());
          }
        });
    return found;
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
  public List<StepGroup<D>> parts() {
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
    return steps.stream().filter(Step::isPivot).findFirst();
  }

  /** The records of all commands that its steps and compensations send. */
  public Set<Class<?>> commands() {
    return sends()
        .flatMap(
            step ->
                Stream.concat(
                    Stream.of(step.command()),
                    step.compensation().map(Compensation::command).stream()))
        .flatMap(command -> command instanceof RecordCommand<?, ?> it ? Stream.of(it.type()) : null)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** The records of all replies that its steps take, by their simple names. */
  public Map<String, Class<?>> replies() {
    Map<String, Class<?>> all = new LinkedHashMap<>();
    sends()
        .flatMap(step -> step.replies().records().stream())
        .forEach(reply -> all.put(reply.getSimpleName(), reply));
    return all;
  }

  /**
   * The first step or compensation whose command a reply's record answers; empty where there is
   * none. A reply that names its step needs no such guess.
   */
  public Optional<String> stepAnsweredBy(Class<?> reply) {
    return stepsAnsweredBy(reply).findFirst();
  }

  /**
   * The step or compensation that a reply answers which names one: that one if its command is among
   * those that the reply's record answers, else as {@link #stepAnsweredBy(Class)}.
   *
   * @param named null where the reply names none
   */
  public Optional<String> stepAnsweredBy(Class<?> reply, @Nullable String named) {
    return stepsAnsweredBy(reply).anyMatch(step -> step.equals(named))
        ? Optional.ofNullable(named)
        : stepAnsweredBy(reply);
  }

  private Stream<String> stepsAnsweredBy(Class<?> reply) {
    Set<Class<?>> commands = ReplyHandlers.commandsAnsweredBy(reply);
    return sends()
        .flatMap(
            step ->
                Stream.concat(
                    sent(commands, step.name(), step.command()),
                    step.compensation().stream()
                        .flatMap(undo -> sent(commands, undo.name(), undo.command()))));
  }

  /** Whether the subject takes note of no success of a step or compensation: any will do. */
  public boolean takesAnySuccess(String asked) {
    return sendOf(asked).stream()
        .flatMap(step -> step.replies().records().stream())
        .filter(reply -> reply.isAnnotationPresent(Done.class))
        .flatMap(this::stepsAnsweredBy)
        .noneMatch(asked::equals);
  }

  private Stream<String> sent(
      Set<Class<?>> commands, String asked, Function<D, OutgoingCommand> command) {
    return command instanceof RecordCommand<?, ?> sent && commands.contains(sent.type())
        ? Stream.of(asked)
        : Stream.empty();
  }

  private Stream<Step.Send<D>> sends() {
    return steps.stream().flatMap(step -> step instanceof Step.Send<D> s ? Stream.of(s) : null);
  }

  /** The step that a name is of, be it its own or its compensation's. */
  private Optional<Step.Send<D>> sendOf(String asked) {
    return sends()
        .filter(
            step ->
                step.name().equals(asked)
                    || step.compensation().filter(it -> it.name().equals(asked)).isPresent())
        .findFirst();
  }

  /** The subject after a reply to this step or compensation has moved the saga. */
  public D noted(D subject, Reply reply, String asked) {
    return sendOf(asked)
        .map(step -> step.replies().change(subject, reply.content()))
        .orElse(subject);
  }

  /** Why a reply does not fit the subject; empty when it does. */
  public Optional<String> check(D subject, Reply reply, String asked) {
    return sendOf(asked).flatMap(step -> step.replies().check(subject, reply.content()));
  }

  /** The subject after every step has been undone. */
  public D compensated(D subject, String reason) {
    return compensated.apply(subject, reason);
  }

  /** Whether a step comes after the pivot, where the saga only goes forward. */
  public boolean isPastPivot(Step<?> step) {
    return pivot().filter(pivot -> steps.indexOf(step) > steps.indexOf(pivot)).isPresent();
  }

  /** The name and version, as in {@code place-order v1}. */
  @Override
  public String toString() {
    return name + " v" + version;
  }

  /**
   * What a definition lists: a step, or steps that are taken together.
   *
   * @param <D> the subject
   */
  public sealed interface StepGroup<D> permits Step, ParallelSteps {

    /** Its steps; one, unless they are taken together. */
    List<Step<D>> members();
  }
}
