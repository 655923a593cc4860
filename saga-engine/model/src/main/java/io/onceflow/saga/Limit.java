package io.onceflow.saga;

import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How many sagas of a definition run at the same time, or start in a time, over all replicas:
 * {@code limit(running(3).per(Rental::customer))}, {@code limit(starting(50,
 * ofSeconds(1)).inAll())}. One that has to wait is {@link Saga.SagaStatus#QUEUED}; the sagas of one
 * key go in the order in which they were started, or by {@link SagaDefinition#priority}, and those
 * of others do not wait for them. A definition has one limit of each kind at most.
 *
 * @param <D> the subject
 */
public sealed interface Limit<D> {

  /** What a saga counts for, read from its subject when it is started; null: its definition. */
  @Nullable Function<? super D, ?> key();

  /** Why a saga that is beyond the limit waits, such as {@code 3 of its key are running}. */
  String reason();

  /** Whether all sagas of the definition count. */
  default boolean isInAll() {
    return key() == null;
  }

  /** A number of running sagas; of what follows. */
  static Running running(int most) {
    return new Running(most);
  }

  /** A number of starts in a time; of what follows. */
  static Starting starting(int most, Duration within) {
    return new Starting(most, within);
  }

  /**
   * So many sagas of one key run at the same time; the end of one lets the next one start.
   *
   * @param most how many, from 1 on
   */
  record OfRunning<D>(int most, @Nullable Function<? super D, ?> key) implements Limit<D> {

    @Override
    public String reason() {
      return "%s%s %s running"
          .formatted(most, isInAll() ? "" : " of its key", most == 1 ? "is" : "are");
    }

    @Override
    public String toString() {
      return "running(%s).%s".formatted(most, isInAll() ? "inAll()" : "per(...)");
    }
  }

  /**
   * So many sagas of one key start at once, and over any longer time no more than that in each
   * {@code within}.
   *
   * @param most how many, from 1 on
   * @param within positive
   */
  record OfStarts<D>(int most, Duration within, @Nullable Function<? super D, ?> key)
      implements Limit<D> {

    @Override
    public String reason() {
      return (isInAll() ? "%s start within %s" : "%s of its key start within %s")
          .formatted(most, within);
    }

    @Override
    public String toString() {
      return "starting(%s, %s).%s".formatted(most, within, isInAll() ? "inAll()" : "per(...)");
    }
  }

  /**
   * A number of running sagas.
   *
   * @param most how many, from 1 on
   */
  record Running(int most) {

    /** For each key that subjects have, such as a customer. */
    public <D> Limit<D> per(Function<D, ?> key) {
      return new OfRunning<>(most, key);
    }

    /** Of the definition in all. */
    public <D> Limit<D> inAll() {
      return new OfRunning<>(most, null);
    }
  }

  /**
   * A number of starts in a time.
   *
   * @param most how many, from 1 on
   * @param within positive
   */
  record Starting(int most, Duration within) {

    /** For each key that subjects have, such as a customer. */
    public <D> Limit<D> per(Function<D, ?> key) {
      return new OfStarts<>(most, within, key);
    }

    /** Of the definition in all. */
    public <D> Limit<D> inAll() {
      return new OfStarts<>(most, within, null);
    }
  }
}
