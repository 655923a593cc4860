package io.onceflow.saga;

import static io.onceflow.saga.Journey.book;
import static io.onceflow.saga.Journey.tell;
import static io.onceflow.saga.PlaceOrder.replied;
import static io.onceflow.saga.SagaDefinition.approval;
import static io.onceflow.saga.SagaDefinition.await;
import static io.onceflow.saga.SagaDefinition.choice;
import static io.onceflow.saga.SagaDefinition.pivot;
import static io.onceflow.saga.SagaDefinition.sleep;
import static io.onceflow.saga.SagaDefinition.start;
import static io.onceflow.saga.SagaDefinition.step;
import static io.onceflow.saga.SagaDefinition.together;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.Saga.StepStatus;
import io.onceflow.saga.SagaDefinition.StepGroup;
import io.onceflow.saga.Step.Compensation;
import io.onceflow.saga.internal.Jitter;
import io.onceflow.saga.internal.RetryPolicy;
import io.onceflow.saga.internal.engine.HistoryEntry;
import io.onceflow.saga.internal.engine.HistoryEvent;
import io.onceflow.saga.internal.engine.ReplyBackoff;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.engine.SagaExecution;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.engine.StepState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A saga of random shape and a world that says anything to it at any time; one seed, one run. */
public final class RandomSaga {

  /** So that many of the runs are long enough to meet it. */
  private static final RetryPolicy SOON_STUCK =
      new RetryPolicy(Duration.ofMinutes(5), 4, Duration.ofMinutes(30));

  private final Random random;
  private final SagaDefinition<Journey> definition;
  private final ReplyBackoff backoff = new ReplyBackoff(Jitter.HASHED, SOON_STUCK);
  private final SagaInvariants invariants;
  private Instant now = Instant.parse("2026-01-01T12:00:00Z");
  private final Set<HistoryEvent> met = EnumSet.noneOf(HistoryEvent.class);
  private Consumer<SagaExecution<Journey>> watcher = moved -> {};
  private Loader loader =
      (definition, backoff, state, subject) ->
          new SagaExecution<>(definition, backoff, Journey::news, state, subject);
  private boolean mayPivotInBranch;
  private boolean isPivotInBranch;
  private SagaState state;
  private Journey subject = Journey.journey();

  /** How a saga is taken up again for the next event. */
  @FunctionalInterface
  public interface Loader {
    SagaExecution<Journey> load(
        SagaDefinition<Journey> definition, ReplyBackoff backoff, SagaState state, Journey subject);
  }

  /** The saga of this seed. */
  public RandomSaga(long seed) {
    random = new Random(seed);
    definition = anyDefinition();
    state = SagaState.toBeStarted(new UUID(random.nextLong(), random.nextLong()), definition, now);
    invariants = new SagaInvariants(definition);
  }

  public SagaDefinition<Journey> definition() {
    return definition;
  }

  SagaStatus status() {
    return state.status();
  }

  /** Whatever comes, in whatever order. */
  public void runWild(int events) {
    if (random.nextInt(8) == 0) {
      take(new SagaEvent.Queued("3 of its key are running"));
    } else {
      take(new SagaEvent.Started());
    }
    for (int i = 0; i < events; i++) {
      now = now.plusMillis(random.nextInt(random.nextInt(10) == 0 ? 4_000_000 : 40_000));
      take(
          isAdmitted()
              ? new SagaEvent.Started()
              : switch (random.nextInt(24)) {
                case 0 -> new SagaEvent.Cancel("CANCELLED", "ada", null);
                case 1 -> new SagaEvent.Retry("op", "it is up again");
                case 2 -> new SagaEvent.Compensate("op", null);
                case 3, 4, 5, 6, 7 -> new SagaEvent.Due();
                case 8, 9, 10, 11 -> anySignal();
                default -> anyReply();
              });
    }
  }

  /** Takes the saga up by other means for each event, and shows what the event made of it. */
  public RandomSaga watchedBy(Loader loading, Consumer<SagaExecution<Journey>> watching) {
    loader = loading;
    watcher = watching;
    return this;
  }

  /** Every message that waits for a reply gets its yes at last: no saga may need more than that. */
  void runToItsEnd() {
    int most = 2 * (Journey.THINGS.size() + 1) * definition.steps().size();
    if (state.status() == SagaStatus.QUEUED) {
      take(new SagaEvent.Started());
    }
    for (int i = 0; i <= most && !state.status().isEnd(); i++) {
      now = now.plusMillis(1);
      StepState awaited =
          state.steps().stream().filter(each -> each.dueAt() != null).findFirst().orElseThrow();
      take(
          definition
              .waitNamed(awaited.name())
              .map(wait -> endOf(wait, awaited))
              .orElseGet(() -> replied(PlaceOrder.done(asked(awaited)))));
    }
  }

  private SagaEvent endOf(Wait<Journey> wait, StepState awaited) {
    if (wait.kind() == Wait.Kind.SLEEP) {
      now = requireNonNull(awaited.dueAt());
      return new SagaEvent.Due();
    }
    return signal(
        awaited.name(),
        "op".equals(awaited.outcome()) ? "other-op" : "op",
        awaited.status() == StepStatus.COMPENSATING ? "it was compensated" : null);
  }

  private static SagaEvent.Signalled signal(String wait, String by, @Nullable String refusal) {
    return new SagaEvent.Signalled(wait, by + refusal, by + " says", by, refusal);
  }

  private boolean isAdmitted() {
    return state.status() == SagaStatus.QUEUED && random.nextInt(5) == 0;
  }

  private SagaEvent anySignal() {
    List<String> waits =
        state.steps().stream()
            .map(StepState::name)
            .filter(step -> definition.waitNamed(step).isPresent())
            .toList();
    if (waits.isEmpty()) {
      return new SagaEvent.Due();
    }
    String wait = waits.get(random.nextInt(waits.size()));
    Wait.Kind kind = definition.waitNamed(wait).orElseThrow().kind();
    boolean mayBeRefused = kind == Wait.Kind.APPROVAL || kind == Wait.Kind.CHILD;
    return signal(
        wait,
        random.nextBoolean() ? "op" : "other-op",
        mayBeRefused && random.nextInt(3) == 0 ? "too dear" : null);
  }

  private void take(SagaEvent event) {
    SagaExecution<Journey> saga = loader.load(definition, backoff, state, subject);
    Optional<String> objection =
        event instanceof SagaEvent.Request request ? saga.objection(request) : Optional.empty();
    saga.apply(event, now);
    if (objection.isPresent() && event instanceof SagaEvent.Retry) {
      assertThat(saga.state()).isEqualTo(state);
    }
    invariants.check(state, subject, event, objection, saga, now);
    watcher.accept(saga);
    met.addAll(saga.history().stream().map(HistoryEntry::event).toList());
    state = saga.state();
    subject = saga.subject();
  }

  /** The events of its history. */
  Set<HistoryEvent> met() {
    return met;
  }

  private String asked(StepState step) {
    return step.status() == StepStatus.WAITING || step.status() == StepStatus.AWAITING
        ? step.name()
        : definition.stepNamed(step.name()).compensation().orElseThrow().name();
  }

  private SagaEvent anyReply() {
    List<String> names = new ArrayList<>(List.of("paint-the-fence"));
    for (StepState each : state.steps()) {
      Step<Journey> step = definition.stepNamed(each.name());
      if (step instanceof Step.Send || step instanceof Step.Run) {
        names.add(step.name());
        step.compensation().map(Compensation::name).ifPresent(names::add);
      }
    }
    String name = names.get(random.nextInt(names.size()));
    return switch (random.nextInt(10)) {
      case 0 -> replied(PlaceOrder.refused(name));
      case 1 -> replied(PlaceOrder.inDoubt(name));
      case 2, 3 -> replied(PlaceOrder.pending(name));
      case 4 -> replied(PlaceOrder.done(name, "DoneOtherwise"));
      default -> replied(PlaceOrder.done(name));
    };
  }

  private SagaDefinition<Journey> anyDefinition() {
    int length = 1 + random.nextInt(6);
    Optional<Integer> pivot =
        random.nextBoolean() ? Optional.of(random.nextInt(length)) : Optional.empty();
    mayPivotInBranch = pivot.isEmpty();
    List<StepGroup<Journey>> parts = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      parts.add(anyPart("leg-" + i, isPivotInBranch ? 1 : i - pivot.orElse(length)));
    }
    return new SagaDefinition<>("journey", 1, parts)
        .within(Duration.ofMinutes(1 + random.nextInt(120)));
  }

  /**
   * @param position from the pivot on; negative before it
   */
  private StepGroup<Journey> anyPart(String name, int position) {
    if (position == 0) {
      return anyPivot(name);
    }
    boolean isUndone = position < 0;
    return switch (random.nextInt(14)) {
      case 0 -> step(name).run((Journey journey) -> journey.marked(name));
      case 1, 2 -> together(anySend(name + "a", isUndone), anySend(name + "b", isUndone));
      case 3, 4 -> anyChoice(name, position);
      case 5 -> random.nextBoolean() ? anyItems(name, isUndone) : anySagas(name, position);
      case 6, 7 -> anyWait(name, position);
      case 8 -> anySend(name, isUndone).fallback(anySend(name + "-else", isUndone));
      case 9 -> anySend(name, isUndone).bestEffort();
      default -> anySend(name, isUndone);
    };
  }

  private StepGroup<Journey> anyPivot(String name) {
    return random.nextBoolean()
        ? pivot(name).run((Journey journey) -> journey.marked(name))
        : maybeAwaited(Journey.decide(name).attempts(1 + random.nextInt(4)));
  }

  /**
   * Its branches are as deep as it happens; one of them may have a pivot, the last one be empty.
   */
  private StepGroup<Journey> anyChoice(String name, int position) {
    boolean hasPivot = position < 0 && mayPivotInBranch && random.nextInt(3) == 0;
    mayPivotInBranch &= !hasPivot;
    isPivotInBranch |= hasPivot;
    Choice.Open<Journey> open =
        choice(name)
            .when(
                "even",
                (Journey journey) -> journey.marks().size() % 2 == 0,
                hasPivot ? anyPivot(name + "p") : anyPart(name + "e", position),
                anySend(name + "l", position < 0 && !isPivotInBranch));
    return random.nextBoolean() ? open.otherwise() : open.otherwise(anyPart(name + "o", position));
  }

  private StepGroup<Journey> anyItems(String name, boolean isUndone) {
    ItemSteps<Journey, String> items = Journey.pack(name, 1 + random.nextInt(3));
    ItemSteps<Journey, String> tried = items.retry(Retry.attempts(1 + random.nextInt(3)));
    return isUndone && random.nextInt(3) > 0
        ? tried.compensateWith("unpack-" + name, Journey.UnpackThing.class, Journey::unpack)
        : tried;
  }

  private StepGroup<Journey> anySagas(String name, int position) {
    ItemSteps<Journey, String> sagas = Journey.fetch(name, 1 + random.nextInt(3));
    boolean isBefore = position < 0 && !isPivotInBranch;
    return isBefore && random.nextInt(4) > 0 ? sagas : sagas.bestEffort();
  }

  private StepGroup<Journey> anyWait(String name, int position) {
    Duration time = Duration.ofSeconds(1 + random.nextInt(7_200));
    boolean isBefore = position < 0 && !isPivotInBranch;
    return switch (random.nextInt(6)) {
      case 4, 5 -> {
        Wait<Journey> errand = start(name, Journey.Errand.class, Journey::errand);
        yield isBefore && random.nextBoolean()
            ? errand
            : errand.otherwise(anyPart(name + "c", position));
      }
      case 0 -> random.nextBoolean() ? sleep(name, time) : anySleep(name, time);
      case 1 ->
          await(name)
              .within(time)
              .on(Journey.News.class, (Journey journey, Journey.News news) -> journey.told(news));
      case 2 ->
          await(name)
              .within(time)
              .on(Journey.News.class, (Journey journey, Journey.News news) -> journey.told(news))
              .otherwise(anyPart(name + "n", position));
      default ->
          position < 0
              ? approval(name).by("clerk").two().within(time)
              : approval(name).by("clerk").within(time).otherwise(anyPart(name + "r", position));
    };
  }

  /** Until a moment that the subject says, which may lie in the past, or later than it may wait. */
  private Wait<Journey> anySleep(String name, Duration atMost) {
    Instant until = now.plusSeconds(random.nextInt(-7_200, 14_400));
    return sleep(name, (Journey journey) -> until).atMost(atMost);
  }

  private Step.Send<Journey> anySend(String name, boolean undoable) {
    Step.Send<Journey> send = undoable && random.nextInt(4) > 0 ? book(name) : tell(name);
    return maybeAwaited(send.retry(anyRetry()));
  }

  private Retry anyRetry() {
    Retry attempts = Retry.attempts(1 + random.nextInt(4));
    Duration first = Duration.ofSeconds(1 + random.nextInt(60));
    return random.nextBoolean() ? attempts : attempts.backoff(first, first.multipliedBy(4));
  }

  private Step.Send<Journey> maybeAwaited(Step.Send<Journey> send) {
    return random.nextBoolean()
        ? send.await("news").within(Duration.ofSeconds(1 + random.nextInt(7_200)))
        : send;
  }
}
