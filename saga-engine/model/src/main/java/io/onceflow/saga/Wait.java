package io.onceflow.saga;

import static java.util.Objects.requireNonNull;

import io.onceflow.saga.SagaDefinition.StepGroup;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A saga's own wait: for a moment, for an event, for an operator's approval, or for the end of a
 * saga that it starts. It holds nothing but its place in the saga's row. The saga's deadline does
 * not count the time.
 *
 * @param <D> the subject
 */
public final class Wait<D> implements Step<D> {

  private final String name;
  private final Kind kind;
  private final @Nullable Function<? super D, Instant> until;
  private final @Nullable Duration atMost;
  private final @Nullable Approval approval;
  private final @Nullable Child<D, ?> child;
  private final @Nullable Payload<D, ?> payload;
  private final @Nullable List<StepGroup<D>> otherwise;

  private Wait(
      String name,
      Kind kind,
      @Nullable Function<? super D, Instant> until,
      @Nullable Duration atMost,
      @Nullable Approval approval,
      @Nullable Child<D, ?> child,
      @Nullable Payload<D, ?> payload,
      @Nullable List<StepGroup<D>> otherwise) {
    this.name = name;
    this.kind = kind;
    this.until = until;
    this.atMost = atMost;
    this.approval = approval;
    this.child = child;
    this.payload = payload;
    this.otherwise = otherwise;
  }

  /** What is waited for. */
  public enum Kind {
    /** A moment. */
    SLEEP,
    /** An event that the application is told of. */
    EVENT,
    /** An operator's yes or no. */
    APPROVAL,
    /** The end of another saga, which is started here. */
    CHILD
  }

  /**
   * The saga that is started.
   *
   * @param saga whose newest version it follows, or the one that is set for its new sagas
   * @param subject what it is about: a new one, made from the subject of this saga
   */
  public record Child<D, C>(Class<? extends Saga<C>> saga, Function<? super D, C> subject) {}

  /**
   * Who approves.
   *
   * @param role what operators need to answer
   * @param approvers how many of them have to approve, 1 or 2; one who refuses is enough for a no
   */
  public record Approval(String role, int approvers) {}

  private record Payload<D, R extends Record>(Class<R> type, BiFunction<D, R, D> change) {

    D applied(D subject, Object event) {
      return change.apply(subject, type.cast(event));
    }
  }

  static <D> Wait<D> sleep(String name, Duration time) {
    return new Wait<>(name, Kind.SLEEP, null, time, null, null, null, null);
  }

  static <D> Wait<D> sleep(String name, Function<? super D, Instant> until) {
    return new Wait<>(name, Kind.SLEEP, until, null, null, null, null, null);
  }

  static <D, C> Wait<D> child(String name, Child<D, C> child) {
    return new Wait<>(name, Kind.CHILD, null, null, null, child, null, null);
  }

  /**
   * What is waited for; for how long follows.
   *
   * @param name the event's, which is the step's
   */
  public record Named(String name) {

    /** For this long. */
    public <D> Wait<D> within(Duration longest) {
      return new Wait<>(name, Kind.EVENT, null, longest, null, null, null, null);
    }
  }

  /** An approval's name; who approves follows. */
  public record Asked(String name) {

    /** By an operator of this role. */
    public By by(String role) {
      return new By(name, new Approval(role, 1));
    }
  }

  /** An approval and who gives it; for how long it is waited for follows. */
  public record By(String name, Approval approval) {

    /** By two operators, who are not the same person. */
    public By two() {
      return new By(name, new Approval(approval.role(), 2));
    }

    /** For this long. */
    public <D> Wait<D> within(Duration longest) {
      return new Wait<>(name, Kind.APPROVAL, null, longest, approval, null, null, null);
    }
  }

  /** The same of one item. */
  Wait<D> ofItem(String key, Child<D, ?> itsChild) {
    return new Wait<>(name + key, kind, until, atMost, approval, itsChild, payload, otherwise);
  }

  /** The same wait, which is over by then, whatever the subject says. */
  public Wait<D> atMost(Duration longest) {
    return new Wait<>(name, kind, until, longest, approval, child, payload, otherwise);
  }

  /**
   * The same wait, whose event's payload changes the subject: the method returns the changed one.
   */
  @SuppressWarnings("overloads") // a method reference either returns the subject or does not
  public <E, R extends Record> Wait<E> on(Class<R> type, BiFunction<E, R, E> change) {
    return this.<E>retyped().with(new Payload<>(type, change));
  }

  /** The same wait, whose event's payload changes the subject in place. */
  @SuppressWarnings("overloads") // a method reference either returns the subject or does not
  public <E, R extends Record> Wait<E> on(Class<R> type, BiConsumer<E, R> change) {
    return on(
        type,
        (E subject, R event) -> {
          change.accept(subject, event);
          return subject;
        });
  }

  /**
   * The same wait, which continues with these parts when its time is over, the approval is refused
   * or the saga that was started is compensated, instead of compensating; they are skipped
   * otherwise. With none the saga continues behind the wait.
   */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read, in List.of
  public final <E> Wait<E> otherwise(StepGroup<E>... parts) {
    Wait<E> it = retyped();
    return new Wait<>(name, kind, it.until, atMost, approval, it.child, it.payload, List.of(parts));
  }

  private Wait<D> with(Payload<D, ?> mapped) {
    return new Wait<>(name, kind, until, atMost, approval, child, mapped, otherwise);
  }

  /**
   * Java infers the subject from the first method that names it, which is one of those above: until
   * then nothing of the wait has seen one.
   */
  @SuppressWarnings("unchecked")
  private <E> Wait<E> retyped() {
    return (Wait<E>) this;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean isPivot() {
    return false;
  }

  public Kind kind() {
    return kind;
  }

  /** For how long at most; empty where the subject alone says until when. */
  public Optional<Duration> atMost() {
    return Optional.ofNullable(atMost);
  }

  /** When it is over, if it starts now. */
  public Instant until(D subject, Instant now) {
    Instant latest = atMost == null ? Instant.MAX : now.plus(atMost);
    if (until == null) {
      return latest;
    }
    Instant wanted =
        requireNonNull(
            until.apply(subject),
            () -> "the subject does not say when the wait \"%s\" is over".formatted(name));
    return wanted.isBefore(latest) ? wanted : latest;
  }

  /** Who approves; empty where no approval is waited for. */
  public Optional<Approval> approval() {
    return Optional.ofNullable(approval);
  }

  /** The saga that is started; empty where none is. */
  public Optional<Child<D, ?>> child() {
    return Optional.ofNullable(child);
  }

  /** The record of the event's payload; empty where it changes nothing. */
  public Optional<Class<? extends Record>> payload() {
    return Optional.ofNullable(payload).map(Payload::type);
  }

  /** The subject after the event. */
  public D noted(D subject, @Nullable Object event) {
    return payload == null || event == null ? subject : payload.applied(subject, event);
  }

  /** What is done when it does not come in time; empty where the saga is compensated. */
  public Optional<List<StepGroup<D>>> alternative() {
    return Optional.ofNullable(otherwise);
  }

  @Override
  public List<List<StepGroup<D>>> ways() {
    return otherwise == null ? List.of() : List.of(otherwise);
  }

  @Override
  public String toString() {
    return kind + " " + name;
  }
}
