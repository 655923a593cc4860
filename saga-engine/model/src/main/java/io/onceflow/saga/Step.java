package io.onceflow.saga;

import static java.util.Objects.requireNonNull;

import io.onceflow.saga.SagaDefinition.StepGroup;
import io.onceflow.saga.internal.RecordCommand;
import io.onceflow.saga.internal.ReplyHandlers;
import io.onceflow.saga.internal.SagaDefinitionInvalid;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** One unit of a saga. */
public sealed interface Step<D> extends StepGroup<D>
    permits Step.Send, Step.Run, Choice, ItemSteps, Wait {

  /** Unique among the definition's steps and compensations; the last part of the step key. */
  String name();

  @Override
  default List<Step<D>> members() {
    return List.of(this);
  }

  /** What is part of this step: the ways to go on of which one may be taken. */
  default List<List<StepGroup<D>>> ways() {
    return List.of();
  }

  /** What undoes this step; empty when nothing has to. */
  default Optional<Compensation<D>> compensation() {
    return Optional.empty();
  }

  /** Whether the saga only goes forward from here on. */
  boolean isPivot();

  /** A step that a participant takes: a command is sent and its reply awaited. */
  @SuppressWarnings("overloads") // a method reference either returns the subject or does not
  final class Send<D> implements Step<D> {

    /**
     * With a first wait of ten seconds, doubled each time up to five minutes, about half an hour:
     * long enough for a participant to be restarted or rolled back, and no longer than a customer
     * may be left without an answer.
     */
    public static final int DEFAULT_ATTEMPTS = 10;

    /**
     * Longer than a healthy participant takes, its call included; short enough that a lost message
     * delays a saga no more than a slow page does.
     */
    public static final Duration DEFAULT_REPLY_WITHIN = Duration.ofSeconds(10);

    private final String name;
    private final Function<D, OutgoingCommand> command;
    private final @Nullable Compensation<D> undo;
    private final boolean isPivot;
    private final ReplyHandlers<D> replies;
    private final Terms terms;
    private final @Nullable Send<D> fallback;

    /**
     * On what terms it is sent.
     *
     * @param awaited null where it may not be answered as pending
     */
    private record Terms(
        Duration replyWithin, Retry retry, boolean isBestEffort, @Nullable Await awaited) {

      private static final Terms DEFAULT =
          new Terms(DEFAULT_REPLY_WITHIN, Retry.attempts(DEFAULT_ATTEMPTS), false, null);
    }

    Send(String name, Function<D, OutgoingCommand> command, boolean isPivot) {
      this(name, command, null, isPivot, ReplyHandlers.none(), Terms.DEFAULT, null);
    }

    private Send(
        String name,
        Function<D, OutgoingCommand> command,
        @Nullable Compensation<D> undo,
        boolean isPivot,
        ReplyHandlers<D> replies,
        Terms terms,
        @Nullable Send<D> fallback) {
      this.name = name;
      this.command = command;
      this.undo = undo;
      this.isPivot = isPivot;
      this.replies = replies;
      this.terms = terms;
      this.fallback = fallback;
    }

    private Send<D> with(Terms others) {
      return new Send<>(name, command, undo, isPivot, replies, others, fallback);
    }

    /** The same step of one item. */
    Send<D> ofItem(
        String key,
        Function<D, OutgoingCommand> commandOfItem,
        @Nullable Function<D, OutgoingCommand> undoingItem) {
      return new Send<>(
          name + key,
          commandOfItem,
          undo == null || undoingItem == null
              ? null
              : new Compensation<>(undo.name() + key, undoingItem),
          isPivot,
          replies,
          terms,
          null);
    }

    @Override
    public String name() {
      return name;
    }

    /**
     * Makes the command from the subject. A step is resent until it is answered, always under the
     * same key, and a participant refuses a known key with another payload: so the command has to
     * be the same each time, made only from what no longer changes.
     */
    public Function<D, OutgoingCommand> command() {
      return command;
    }

    /** How long to wait for the reply before the command is resent. */
    public Duration replyWithin() {
      return terms.replyWithin;
    }

    /**
     * How often it is sent before it times out, from 1 on. Then it may or may not have taken
     * effect, and is compensated (rule 8). A pivot, and a step past it, does not time out.
     */
    public int attempts() {
      return terms.retry.attempts();
    }

    /** How often, and how far apart, it is sent while no reply comes. */
    public Retry retry() {
      return terms.retry;
    }

    /** Whether its failure does not make the saga compensate. */
    public boolean isBestEffort() {
      return terms.isBestEffort;
    }

    /** What is taken when it fails; empty where the saga is compensated. */
    public Optional<Send<D>> fallback() {
      return Optional.ofNullable(fallback);
    }

    /**
     * Whether the saga only goes forward once the command is sent, unless the participant refuses
     * it.
     */
    @Override
    public boolean isPivot() {
      return isPivot;
    }

    /** What the replies to the step and to its compensation mean for the subject. */
    ReplyHandlers<D> replies() {
      return replies;
    }

    /**
     * The same step, undone with a command of this record under the name that the record gives it:
     * {@code cancel-flight} for {@code CancelFlight}.
     *
     * @param type annotated with {@link io.onceflow.message.Undoes}
     */
    public <C extends Record> Send<D> compensateWith(Class<C> type, Function<D, C> payload) {
      return compensateWith(RecordCommand.nameOf(type), type, payload);
    }

    /**
     * The same step, undone with a command of this record.
     *
     * @param type annotated with {@link io.onceflow.message.Undoes}
     */
    public <C extends Record> Send<D> compensateWith(
        String compensation, Class<C> type, Function<D, C> payload) {
      RecordCommand<D, C> undoing =
          RecordCommand.of("compensation \"%s\"".formatted(compensation), type, payload);
      return compensateWith(compensation, undoing.undoing("step \"%s\"".formatted(name), command));
    }

    /** The same step, undone with this command. */
    public Send<D> compensateWith(String compensation, Function<D, OutgoingCommand> undoing) {
      if (undo != null) {
        throw new SagaDefinitionInvalid(
            "step \"%s\" is compensated with \"%s\" and with \"%s\"; a step has one compensation, so remove one."
                .formatted(name, undo.name(), compensation));
      }
      return new Send<>(
          name,
          command,
          new Compensation<>(compensation, undoing),
          isPivot,
          replies,
          terms,
          fallback);
    }

    /**
     * The same step, resent, or its compensation, when no reply has come within this time; the
     * default is {@link #DEFAULT_REPLY_WITHIN}.
     *
     * @param duration positive
     */
    public Send<D> replyWithin(Duration duration) {
      return with(new Terms(duration, terms.retry, terms.isBestEffort, terms.awaited));
    }

    /** The same step, timed out after this many attempts. */
    public Send<D> attempts(int most) {
      return retry(new Retry(most, terms.retry.firstWait(), terms.retry.longestWait()));
    }

    /** The same step, sent so often and so far apart while no reply comes. */
    public Send<D> retry(Retry retry) {
      return with(new Terms(terms.replyWithin, retry, terms.isBestEffort, terms.awaited));
    }

    /**
     * The same step, whose failure does not make the saga compensate: refused or timed out, it
     * shows as that, and the saga continues. It times out past the pivot as well.
     */
    public Send<D> bestEffort() {
      return with(new Terms(terms.replyWithin, terms.retry, true, terms.awaited));
    }

    /**
     * The same step, with another that is taken when this one is refused or times out, instead of
     * compensating. If this one may have been done, it is compensated before. A fallback may have
     * one of its own; where this one succeeds it is skipped.
     */
    public Send<D> fallback(Send<D> other) {
      return new Send<>(name, command, undo, isPivot, replies, terms, other);
    }

    @Override
    public List<List<StepGroup<D>>> ways() {
      return fallback == null ? List.of() : List.of(List.of(fallback));
    }

    /**
     * Continues with {@code within}: the same step, which may wait for an external event. The
     * participant may answer that it has started and does not know yet its outcome ({@code
     * Answer.pending}), such as a payment that its customer has to confirm. From then on the
     * command does not expire, and the saga's deadline does not count, until the participant tells
     * its outcome or the time is over. The participant is asked for that after ten minutes, and
     * then at growing distances up to four hours. When the time is over, or when the saga is
     * cancelled meanwhile, the step times out and is compensated; a pivot, or a step past it, is
     * requested again.
     *
     * @param event what is waited for, such as {@code payment-settled}; shown to operators
     */
    public Awaiting<D> await(String event) {
      return new Awaiting<>(this, event);
    }

    /** What the step may wait for; empty if it may not be answered as pending. */
    public Optional<Await> await() {
      return Optional.ofNullable(terms.awaited);
    }

    /** The same step, of which a reply changes the subject: the method returns the changed one. */
    public <R extends Record> Send<D> on(Class<R> reply, BiFunction<D, R, D> change) {
      return on(reply, (subject, said) -> Optional.empty(), change);
    }

    /** The same step, of which a reply changes the subject in place. */
    public <R extends Record> Send<D> on(Class<R> reply, BiConsumer<D, R> change) {
      return on(reply, (subject, said) -> Optional.empty(), inPlace(change));
    }

    /**
     * The same step, of which a reply changes the subject if it fits it.
     *
     * @param check why the reply does not fit the subject, such as another amount; empty when it
     *     does. Such a reply may be forged: it is parked, and moves nothing. To be compared with
     *     what never changes, since a reply may come late or twice
     */
    public <R extends Record> Send<D> on(
        Class<R> reply, BiFunction<D, R, Optional<String>> check, BiFunction<D, R, D> change) {
      Set<Function<D, OutgoingCommand>> commands = new LinkedHashSet<>();
      commands.add(command);
      compensation().ifPresent(it -> commands.add(it.command()));
      ReplyHandlers.requireAnswer(reply, name, commands);
      if (replies.records().contains(reply)) {
        throw new SagaDefinitionInvalid(
            "step \"%s\" takes %s twice; a reply has one effect, so put both into one method."
                .formatted(name, reply.getSimpleName()));
      }
      return new Send<>(
          name, command, undo, isPivot, replies.with(reply, check, change), terms, fallback);
    }

    /** As {@link #on(Class, BiFunction, BiFunction)}, where the subject is changed in place. */
    public <R extends Record> Send<D> on(
        Class<R> reply, BiFunction<D, R, Optional<String>> check, BiConsumer<D, R> change) {
      return on(reply, check, inPlace(change));
    }

    private static <D, R> BiFunction<D, R, D> inPlace(BiConsumer<D, R> change) {
      return (subject, reply) -> {
        change.accept(subject, reply);
        return subject;
      };
    }

    @Override
    public Optional<Compensation<D>> compensation() {
      return Optional.ofNullable(undo);
    }
  }

  /**
   * A command of a saga to a participant.
   *
   * @param type the message's type, such as {@code ProcessPayment}
   * @param routingKey where commands of this kind go, such as {@code payment.process}
   * @param payload the business's record; the sender writes it as JSON
   */
  record OutgoingCommand(String type, String routingKey, Object payload) {

    public OutgoingCommand {
      requireNonNull(type, "type");
      requireNonNull(routingKey, "routingKey");
      requireNonNull(payload, "payload");
    }
  }

  /**
   * The semantic undo of a step.
   *
   * @param name the name of the compensation, such as {@code refund-payment}; its step key ends in
   *     it
   * @param command makes the command; the requirements of {@link Send#command()} apply here too
   */
  record Compensation<D>(String name, Function<D, OutgoingCommand> command) {}

  /**
   * What a step may wait for outside of the application.
   *
   * @param event its name, such as {@code payment-settled}
   * @param within for how long, counted from the participant's answer that the step is pending; at
   *     least a second
   */
  record Await(String event, Duration within) {}

  /**
   * A step and what it may wait for; for how long follows.
   *
   * @param event such as {@code payment-settled}
   */
  record Awaiting<D>(Send<D> step, String event) {

    /**
     * The step, which may wait for the event for this long.
     *
     * @param longest at least a second
     */
    public Send<D> within(Duration longest) {
      Send.Terms terms = step.terms;
      return step.with(
          new Send.Terms(
              terms.replyWithin, terms.retry, terms.isBestEffort, new Await(event, longest)));
    }
  }

  /**
   * A step on the subject itself, taken in the transaction of the reply that reached it. It cannot
   * be refused; what it did is undone by what the definition does {@link
   * SagaDefinition#onCompensated when all is compensated}.
   *
   * @param isPivot whether the saga only goes forward after it
   */
  record Run<D>(String name, UnaryOperator<D> action, boolean isPivot) implements Step<D> {}

  /**
   * A step with its name, whose action is defined next.
   *
   * @param isPivot whether the saga only goes forward once it is sent or run
   */
  @SuppressWarnings("overloads") // a method reference either returns the subject or does not
  record Named(String name, boolean isPivot) {

    /**
     * Sends a command to a participant; see {@link Send#command()} for what it must keep to. The
     * command of a pivot does not expire and is sent until it is answered; if the participant
     * refuses it, the saga is undone.
     *
     * @param type annotated with {@link io.onceflow.message.Command}
     * @param payload makes it from the subject
     */
    public <D, C extends Record> Send<D> send(Class<C> type, Function<D, C> payload) {
      String step = "%s \"%s\"".formatted(isPivot ? "pivot" : "step", name);
      return send(RecordCommand.of(step, type, payload).acting(step));
    }

    /**
     * Takes the step for each item of the subject.
     *
     * @param items of the subject as it is when the step is reached, at most {@link
     *     ItemSteps#MOST_ITEMS}
     * @param key of an item: letters, digits, '-', '_' and '.', unique among the items
     */
    public <D, I> ItemSteps.Named<D, I> forEach(
        Function<D, ? extends Iterable<I>> items, Function<I, String> key) {
      if (isPivot) {
        throw new SagaDefinitionInvalid(
            "pivot \"%s\" is taken for each item; there is one point of no return, so make it a step."
                .formatted(name));
      }
      return new ItemSteps.Named<>(name, items, key);
    }

    /** As {@link #send(Class, Function)}, with a command that names its type and routing key. */
    public <D> Send<D> send(Function<D, OutgoingCommand> command) {
      return new Send<>(name, command, isPivot);
    }

    /** Changes the subject, locally and at once: the method returns the changed one. */
    public <D> Step<D> run(UnaryOperator<D> action) {
      return new Run<>(name, action, isPivot);
    }

    /** Changes the subject in place, locally and at once. */
    public <D> Step<D> run(Consumer<D> action) {
      return run(
          (D subject) -> {
            action.accept(subject);
            return subject;
          });
    }
  }
}
