package io.onceflow.saga;

import io.onceflow.saga.Step.Compensation;
import io.onceflow.saga.Step.OutgoingCommand;
import io.onceflow.saga.internal.SagaDefinitionInvalid;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A saga's steps in their order, as data.
 *
 * <pre>{@code
 * static final SagaDefinition<PlaceOrder> DEFINITION =
 *     saga("place-order", 1,
 *         step("process-payment").send(ProcessPayment.class, PlaceOrder::processPayment).compensateWith(RefundPayment.class, PlaceOrder::refundPayment),
 *         step("arrange-shipment").send(ArrangeShipment.class, PlaceOrder::arrangeShipment).compensateWith(CancelShipment.class, PlaceOrder::cancelShipment),
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
  private final List<Wait<D>> children;
  private final List<Wait<D>> undoneChildren;
  private final Set<String> pastPivot = new LinkedHashSet<>();
  private final SentCommands<D> sent;
  private final DefinitionTerms<D> terms;

  /**
   * @param name what the saga is called, such as {@code place-order}
   * @param version from 1 on; a saga follows the version that it was started with, so a definition
   *     whose steps change gets a new one
   * @param parts in the order in which they are taken
   * @throws SagaDefinitionInvalid if the saga could not run as defined
   */
  public SagaDefinition(String name, int version, List<? extends StepGroup<D>> parts) {
    this(name, version, List.copyOf(parts), DefinitionTerms.usual());
  }

  private SagaDefinition(
      String name, int version, List<StepGroup<D>> parts, DefinitionTerms<D> terms) {
    this.name = name;
    this.version = version;
    this.parts = parts;
    this.steps = parts.stream().flatMap(StepGroup::all).toList();
    this.children = children(steps);
    this.undoneChildren = ChildRules.beforePivot(parts);
    this.sent = SentCommands.of(steps);
    notePastPivot(parts, false, pastPivot);
    this.terms = terms;
    DefinitionRules.check(this);
  }

  private SagaDefinition<D> with(DefinitionTerms<D> its) {
    return new SagaDefinition<>(name, version, parts, its);
  }

  private static <D> List<Wait<D>> children(List<Step<D>> steps) {
    return steps.stream().flatMap(step -> startedBy(step).stream()).toList();
  }

  /** What a step starts, be it one saga or one for each item; empty where it starts none. */
  static <D> Optional<Wait<D>> startedBy(Step<D> step) {
    return switch (step) {
      case Wait<D> wait when wait.kind() == Wait.Kind.CHILD -> Optional.of(wait);
      case ItemSteps<D, ?> items -> items.child();
      case Step<D> other -> Optional.empty();
    };
  }

  /** Defines a saga of these parts, taken in this order. */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read, here and in List.of
  public static <D> SagaDefinition<D> saga(String name, int version, StepGroup<D>... parts) {
    return new SagaDefinition<>(name, version, List.of(parts));
  }

  /** Starts a step: it continues with {@code send} or {@code run}. */
  public static Step.Named step(String name) {
    return new Step.Named(name, false);
  }

  /** Starts the pivot: it continues with {@code send} or {@code run}. */
  public static Step.Named pivot(String name) {
    return new Step.Named(name, true);
  }

  /** Starts a choice between branches: it continues with {@code when}. */
  public static Choice.Named choice(String name) {
    return new Choice.Named(name);
  }

  /** Starts a wait for an event of this name: it continues with {@code within}. */
  public static Wait.Named await(String event) {
    return new Wait.Named(event);
  }

  /** Starts a wait for an operator's approval: it continues with {@code by}. */
  public static Wait.Asked approval(String name) {
    return new Wait.Asked(name);
  }

  /** Waits for this long. */
  public static <D> Wait<D> sleep(String name, Duration time) {
    return Wait.sleep(name, time);
  }

  /** Waits until the moment that the subject says when the wait is reached. */
  public static <D> Wait<D> sleep(String name, Function<D, Instant> until) {
    return Wait.sleep(name, until);
  }

  /**
   * Starts another saga of this application, and waits for its end: {@code start("deliver-parts",
   * DeliverParts.class, Rental::delivery)}. Where the other saga is compensated this one is, too,
   * unless {@link Wait#otherwise otherwise} says what is done then, which it has to past the pivot.
   * Before the pivot the other saga must not have a pivot: it is undone when this one is, also
   * after it was completed.
   *
   * @param subject makes what the other saga is about, which is stored with it
   */
  public static <D, C> Wait<D> start(
      String name, Class<? extends Saga<C>> saga, Function<D, C> subject) {
    return Wait.child(name, new Wait.Child<>(saga, subject));
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
    return with(terms.within(longest));
  }

  /**
   * The same definition, where the subject takes note that every step has been undone.
   *
   * @param change from the subject and the reason, that of the refusal which turned the saga round
   */
  @SuppressWarnings("overloads") // a method reference either returns the subject or does not
  public SagaDefinition<D> onCompensated(BiFunction<D, String, D> change) {
    return with(terms.onCompensated(change));
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
    DefinitionRules.checkSearchable(name, searchable(), attribute);
    return with(terms.searchableBy(attribute, value));
  }

  /**
   * The same definition, of which so many sagas run at the same time or start in a time, beside its
   * other limits; the others wait as {@link Saga.SagaStatus#QUEUED}, in the order of their start.
   *
   * @throws SagaDefinitionInvalid if no saga would start, or another limit contradicts this one
   */
  public SagaDefinition<D> limit(Limit<D> most) {
    return with(terms.limitedTo(limits().and(most)));
  }

  /**
   * The same definition, of whose queued sagas those with a higher priority start first, and those
   * of the same in the order of their start. While there are always some of a higher priority, the
   * others wait.
   *
   * @param of from the subject when its saga is started; 0 where this is not said
   * @throws IllegalStateException if the definition does not limit how many of its sagas run
   */
  public SagaDefinition<D> priority(ToIntFunction<? super D> of) {
    if (!limits().areOfRunning()) {
      throw new IllegalStateException(
          ("saga \"%s\" does not limit how many run at once, so none waits for another to end;"
                  + " say limit(running(...)) first.")
              .formatted(name));
    }
    return with(terms.limitedTo(limits().by(of)));
  }

  /**
   * The same definition, to which operators can migrate sagas that follow an earlier version. What
   * a saga has done or waits for has to be part of this version, too, in the same order.
   *
   * @param earlier the version
   * @param map renames steps, and says which new ones are skipped; it gets a migration that does
   *     neither
   * @throws SagaDefinitionInvalid if it is no earlier version, or the steps do not fit
   */
  public SagaDefinition<D> migrates(int earlier, UnaryOperator<SagaMigration> map) {
    SagaMigration migration = map.apply(new SagaMigration(earlier, Map.of(), Set.of()));
    migration.check(this);
    return with(terms.migrating(earlier, migration));
  }

  /** As {@link #migrates(int, UnaryOperator)}, where all steps keep their names. */
  public SagaDefinition<D> migrates(int earlier) {
    return migrates(earlier, UnaryOperator.identity());
  }

  /** How sagas that follow this other version are carried over; empty where they are not. */
  public Optional<SagaMigration> migrationFrom(int other) {
    return Optional.ofNullable(terms.migrations().get(other));
  }

  /** How many sagas run at the same time or start in a time; none for as many as come. */
  public SagaLimits<D> limits() {
    return terms.limits();
  }

  /** The attributes that operators find sagas by, in the order of their declaration. */
  public Set<String> searchable() {
    return terms.searchable().keySet();
  }

  /** What a subject has of these attributes. */
  public Map<String, String> attributes(D subject) {
    return terms.attributes(subject);
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

  /**
   * All steps, those that are taken together one after the other, and each before those that are
   * part of it.
   */
  public List<Step<D>> steps() {
    return steps;
  }

  /** How long a saga may take to its pivot before it is undone. */
  public Duration deadline() {
    return terms.deadline();
  }

  /**
   * The step of this name, which may be that of an item.
   *
   * @throws IllegalArgumentException if there is none
   */
  public Step<D> stepNamed(String stepName) {
    return withName(stepName, Step::name)
        .orElseThrow(
            () -> new IllegalArgumentException("saga " + this + " has no step " + stepName));
  }

  /** The saga's own wait of this name; empty if it has none. */
  public Optional<Wait<D>> waitNamed(String name) {
    return withName(name, Step::name)
        .flatMap(step -> step instanceof Wait<D> it ? Optional.of(it) : Optional.empty());
  }

  /** The step that the compensation of this name undoes; empty if no step is undone by it. */
  public Optional<Step<D>> compensatedBy(String compensation) {
    return withName(compensation, step -> step.compensation().map(Compensation::name).orElse(""));
  }

  private Optional<Step<D>> withName(String name, Function<Step<D>, String> named) {
    String base = ItemSteps.stepOf(name);
    return steps.stream()
        .filter(step -> named.apply(step).equals(base))
        .findFirst()
        .filter(step -> step instanceof ItemSteps || base.equals(name))
        .map(
            step ->
                step instanceof ItemSteps<D, ?> items && !base.equals(name)
                    ? items.at(name.substring(base.length() + 1))
                    : step);
  }

  /** The pivots, at most one on any path; none when the saga can be undone until its very end. */
  public List<Step<D>> pivots() {
    return steps.stream().filter(Step::isPivot).toList();
  }

  /** The names of the steps and compensations that send a command, in the order of the steps. */
  public Set<String> commandNames() {
    return Collections.unmodifiableSet(sent.byName().keySet());
  }

  /**
   * What makes the command of the step or compensation of this name; empty when the saga sends
   * nothing under it.
   */
  public Optional<Function<D, OutgoingCommand>> commandOf(String name) {
    if (ItemSteps.stepOf(name).equals(name)) {
      return sent.commandOf(name);
    }
    return withName(name, Step::name)
        .flatMap(
            step ->
                step instanceof Step.Send<D> send ? Optional.of(send.command()) : Optional.empty())
        .or(() -> compensatedBy(name).flatMap(Step::compensation).map(Compensation::command));
  }

  /** The records of all commands that its steps and compensations send. */
  public Set<Class<?>> commands() {
    return sent.commands();
  }

  /** The records of all replies that its steps take, by their simple names. */
  public Map<String, Class<?>> replies() {
    return sent.replies();
  }

  /**
   * The first step or compensation whose command a reply's record answers; empty where there is
   * none. A reply that names its step needs no such guess.
   */
  public Optional<String> stepAnsweredBy(Class<?> reply) {
    return sent.answeredBy(reply).findFirst();
  }

  /**
   * The step or compensation that a reply answers which names one: that one if its command is among
   * those that the reply's record answers, else as {@link #stepAnsweredBy(Class)}.
   *
   * @param named null where the reply names none
   */
  public Optional<String> stepAnsweredBy(Class<?> reply, @Nullable String named) {
    return named != null && sent.answeredBy(reply).anyMatch(ItemSteps.stepOf(named)::equals)
        ? Optional.ofNullable(named)
        : stepAnsweredBy(reply);
  }

  /** Whether the subject takes note of no success of a step or compensation: any will do. */
  public boolean takesAnySuccess(String asked) {
    return sent.takesAnySuccess(asked);
  }

  /**
   * The subject after a reply to this step or compensation has moved the saga.
   *
   * @param reply its record; null where the answer is the product's own
   */
  public D noted(D subject, @Nullable Object reply, String asked) {
    return sent.repliesTo(asked).map(replies -> replies.change(subject, reply)).orElse(subject);
  }

  /** Why a reply does not fit the subject; empty when it does. */
  public Optional<String> check(D subject, @Nullable Object reply, String asked) {
    return sent.repliesTo(asked).flatMap(replies -> replies.check(subject, reply));
  }

  /** The subject after every step has been undone. */
  public D compensated(D subject, String reason) {
    return terms.compensated().apply(subject, reason);
  }

  /**
   * The waits for sagas that are started, in the order of the steps; one where a saga is started
   * for each item.
   */
  public List<Wait<D>> children() {
    return children;
  }

  /**
   * Those of them that are undone when the saga is: on some path no pivot comes before. The sagas
   * that they start must not have a pivot.
   */
  public List<Wait<D>> undoneChildren() {
    return undoneChildren;
  }

  /** Whether what this step starts is one of those. */
  public boolean startsUndone(Step<?> step) {
    return undoneChildren.stream().anyMatch(it -> it.name().equals(step.name()));
  }

  /** Whether a step comes after a pivot, where the saga only goes forward, on some path. */
  public boolean isPastPivot(Step<?> step) {
    return pastPivot.contains(ItemSteps.stepOf(step.name()));
  }

  /** Notes what lies past a pivot, and says whether what follows these parts does. */
  private static boolean notePastPivot(
      List<? extends StepGroup<?>> parts, boolean isPast, Set<String> past) {
    boolean isNow = isPast;
    for (StepGroup<?> part : parts) {
      for (Step<?> step : part.members()) {
        if (isNow) {
          past.add(step.name());
        }
        boolean isAfter = isNow || step.isPivot();
        for (List<? extends StepGroup<?>> way : step.ways()) {
          isAfter |= notePastPivot(way, isNow || step.isPivot(), past);
        }
        isNow = isAfter;
      }
    }
    return isNow;
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

    /** These, each before the steps that are part of it. */
    default Stream<Step<D>> all() {
      return members().stream()
          .flatMap(
              step ->
                  Stream.concat(
                      Stream.of(step),
                      step.ways().stream().flatMap(List::stream).flatMap(StepGroup::all)));
    }
  }
}
