package io.onceflow.saga;

import java.util.function.Function;

/**
 * How many sagas of a definition run at the same time, over all replicas: {@code
 * limit(running(3).per(Rental::customer))}. One that has to wait is {@link Saga.SagaStatus#QUEUED};
 * the sagas of one key go in the order in which they were started, and those of others do not wait
 * for them.
 *
 * @param running how many sagas of one key run at most
 * @param key what a saga counts for, read from its subject when it is started
 * @param <D> the subject
 */
public record Limit<D>(int running, Function<? super D, ?> key) {

  /** A number of running sagas; of what follows. */
  public static Running running(int most) {
    return new Running(most);
  }

  /**
   * A number of running sagas.
   *
   * @param most how many, from 1 on
   */
  public record Running(int most) {

    /** For each key that subjects have, such as a customer. */
    public <D> Limit<D> per(Function<D, ?> key) {
      return new Limit<>(most, key);
    }

    /** Of the definition in all. */
    public <D> Limit<D> inAll() {
      return new Limit<>(most, subject -> "");
    }
  }
}
