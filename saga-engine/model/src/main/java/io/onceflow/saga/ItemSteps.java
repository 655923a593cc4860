package io.onceflow.saga;

import static io.onceflow.saga.internal.RecordCommand.nameOf;

import io.onceflow.saga.Step.Compensation;
import io.onceflow.saga.internal.RecordCommand;
import io.onceflow.saga.internal.SagaDefinitionInvalid;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A step for each item of the subject, such as a reservation for each line of an order, or a saga
 * for each parcel. Each has a key of its own, {@code reserve/sku-7}, its own attempts, reply and
 * compensation; what fails undoes what was done for the others. The items are fixed when the step
 * is reached.
 *
 * @param <D> the subject
 * @param <I> an item
 */
public final class ItemSteps<D, I> implements Step<D> {

  /** They are part of the saga's row; above that, a saga of its own for each is the better way. */
  public static final int MOST_ITEMS = 100;

  /** Of which only that it was started, and its end, are part of the row. */
  public static final int MOST_SAGAS = 1000;

  /** Between the step's name and an item's key; no name holds it. */
  public static final char SEPARATOR = '/';

  private final Items<D, I> items;
  private final int atOnce;
  private final Each<D> each;

  /** What is done for an item. */
  private sealed interface Each<D> {

    Step<D> template();

    Step<D> at(String key);
  }

  private record Sent<D>(
      Send<D> template,
      Function<String, RecordCommand<D, ?>> command,
      @Nullable Function<String, RecordCommand<D, ?>> undoing)
      implements Each<D> {

    @Override
    public Send<D> at(String key) {
      return template.ofItem(
          SEPARATOR + key, command.apply(key), undoing == null ? null : undoing.apply(key));
    }
  }

  private record Started<D>(Wait<D> template, Function<String, Wait.Child<D, ?>> child)
      implements Each<D> {

    @Override
    public Wait<D> at(String key) {
      return template.ofItem(SEPARATOR + key, child.apply(key));
    }
  }

  private record Items<D, I>(
      Function<? super D, ? extends Iterable<I>> of, Function<? super I, String> key) {

    /** Makes a payload for the item of this key, which may have changed since it was fixed. */
    <C> Function<D, C> asked(String step, String wanted, BiFunction<D, I, C> payload) {
      return subject -> payload.apply(subject, withKey(subject, wanted, step));
    }

    private I withKey(D subject, String wanted, String step) {
      for (I item : of.apply(subject)) {
        if (key.apply(item).equals(wanted)) {
          return item;
        }
      }
      throw new IllegalStateException(
          ("step \"%s\" was started for item \"%s\", which the subject does not have any more;"
                  + " keep items until their saga has ended")
              .formatted(step, wanted));
    }
  }

  private ItemSteps(Items<D, I> items, int atOnce, Each<D> each) {
    this.items = items;
    this.atOnce = atOnce;
    this.each = each;
  }

  /** A step's name and its items; its command follows. */
  public static final class Named<D, I> {

    private final String name;
    private final Items<D, I> items;
    private final int atOnce;

    Named(
        String name,
        Function<? super D, ? extends Iterable<I>> items,
        Function<? super I, String> key) {
      this(name, new Items<>(items, key), 1);
    }

    private Named(String name, Items<D, I> items, int atOnce) {
      this.name = name;
      this.items = items;
      this.atOnce = atOnce;
    }

    /** So many at the same time; one after the other by default. */
    public Named<D, I> atOnce(int most) {
      return new Named<>(name, items, most);
    }

    /**
     * Sends a command for each item.
     *
     * @param type annotated with {@link io.onceflow.message.Command}
     * @param payload makes it from subject and item
     */
    public <C extends Record> ItemSteps<D, I> send(Class<C> type, BiFunction<D, I, C> payload) {
      String step = "step \"%s\"".formatted(name);
      RecordCommand<D, C> ofNone = RecordCommand.of(step, type, ItemSteps::ofNone);
      return new ItemSteps<>(
          items,
          atOnce,
          new Sent<D>(
              new Send<>(name, ofNone.acting(step), false),
              key -> RecordCommand.of(step, type, items.asked(name, key, payload)),
              null));
    }

    /**
     * Starts a saga for each item, as {@link SagaDefinition#start} does, at most {@link
     * #MOST_SAGAS}.
     *
     * @param subject makes from subject and item what the saga of that item is about
     */
    public <C> ItemSteps<D, I> start(Class<? extends Saga<C>> saga, BiFunction<D, I, C> subject) {
      Wait.Child<D, C> ofNone = new Wait.Child<>(saga, ItemSteps::ofNone);
      return new ItemSteps<>(
          items,
          atOnce,
          new Started<D>(
              Wait.child(name, ofNone),
              key -> new Wait.Child<D, C>(saga, items.asked(name, key, subject))));
    }
  }

  private static <D, C> C ofNone(D subject) {
    throw new IllegalStateException("it is made for an item");
  }

  /** The same step, undone for an item with a command of this record under the record's name. */
  public <C extends Record> ItemSteps<D, I> compensateWith(
      Class<C> type, BiFunction<D, I, C> payload) {
    return compensateWith(nameOf(type), type, payload);
  }

  /** The same step, undone for an item with a command of this record under this name. */
  public <C extends Record> ItemSteps<D, I> compensateWith(
      String compensation, Class<C> type, BiFunction<D, I, C> payload) {
    Sent<D> sent = sent();
    return with(
        new Sent<D>(
            sent.template().compensateWith(compensation, type, ItemSteps::ofNone),
            sent.command(),
            key ->
                RecordCommand.of(
                    "compensation \"%s\"".formatted(compensation),
                    type,
                    items.asked(name(), key, payload))));
  }

  /** The same step, of which each reply changes the subject: the method returns the changed one. */
  @SuppressWarnings("overloads") // a method reference either returns the subject or does not
  public <R extends Record> ItemSteps<D, I> on(Class<R> reply, BiFunction<D, R, D> change) {
    return with(step -> step.on(reply, change));
  }

  /** The same step, of which each reply changes the subject in place. */
  @SuppressWarnings("overloads") // a method reference either returns the subject or does not
  public <R extends Record> ItemSteps<D, I> on(Class<R> reply, BiConsumer<D, R> change) {
    return with(step -> step.on(reply, change));
  }

  /** As {@link Send#replyWithin(Duration)}, for each item. */
  public ItemSteps<D, I> replyWithin(Duration duration) {
    return with(step -> step.replyWithin(duration));
  }

  /** As {@link Send#retry(Retry)}, for each item. */
  public ItemSteps<D, I> retry(Retry retry) {
    return with(step -> step.retry(retry));
  }

  /**
   * As {@link Send#bestEffort()}, for each item. A saga that is compensated does not compensate
   * this one.
   */
  public ItemSteps<D, I> bestEffort() {
    return switch (each) {
      case Sent<D> sent -> with(Send::bestEffort);
      case Started<D> started -> {
        Wait<D> spared = started.template().otherwise();
        yield with(new Started<>(spared, started.child()));
      }
    };
  }

  /** Whether the failure of an item does not make the saga compensate. */
  public boolean isBestEffort() {
    return switch (each) {
      case Sent<D> sent -> sent.template().isBestEffort();
      case Started<D> started -> started.template().alternative().isPresent();
    };
  }

  private ItemSteps<D, I> with(UnaryOperator<Send<D>> change) {
    Sent<D> sent = sent();
    return with(new Sent<D>(change.apply(sent.template()), sent.command(), sent.undoing()));
  }

  private ItemSteps<D, I> with(Each<D> other) {
    return new ItemSteps<>(items, atOnce, other);
  }

  private Sent<D> sent() {
    if (each instanceof Sent<D> sent) {
      return sent;
    }
    throw new SagaDefinitionInvalid(
        "step \"%s\" starts a saga for each item, which sends and undoes by itself; remove compensateWith(...), on(...), replyWithin(...) and retry(...)."
            .formatted(name()));
  }

  @Override
  public String name() {
    return each.template().name();
  }

  @Override
  public Optional<Compensation<D>> compensation() {
    return each.template().compensation();
  }

  @Override
  public boolean isPivot() {
    return false;
  }

  /** How many are under way at the same time at most. */
  public int atOnce() {
    return atOnce;
  }

  /** What is sent for an item, but for its payload and its key; empty where it starts sagas. */
  public Optional<Send<D>> template() {
    return each instanceof Sent<D> sent ? Optional.of(sent.template()) : Optional.empty();
  }

  /** The saga that is started for an item, but for its subject and its key; empty where none is. */
  public Optional<Wait<D>> child() {
    return each instanceof Started<D> started ? Optional.of(started.template()) : Optional.empty();
  }

  /**
   * The keys of a subject's items, in their order.
   *
   * @throws IllegalStateException if a key cannot be part of a step key, is there twice, or there
   *     are too many
   */
  public List<String> keys(D subject) {
    return DefinitionRules.itemKeys(this, items.of().apply(subject), items.key());
  }

  /** The step of one item. */
  public Step<D> at(String key) {
    return each.at(key);
  }

  /** The step or compensation that an item's belongs to: {@code reserve} for {@code reserve/a}. */
  public static String stepOf(String name) {
    int end = name.indexOf(SEPARATOR);
    return end < 0 ? name : name.substring(0, end);
  }

  @Override
  public String toString() {
    return each.template() + " for each of its items, " + atOnce + " at once";
  }
}
