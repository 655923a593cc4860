package io.onceflow.saga;

import static io.onceflow.saga.Journey.book;
import static io.onceflow.saga.Journey.tell;
import static io.onceflow.saga.SagaDefinition.pivot;
import static io.onceflow.saga.SagaDefinition.step;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;

/** A saga of random shape and a world that says anything to it at any time; one seed, one run. */
final class RandomSaga {

  private final Random random;
  private final SagaDefinition<Journey> definition;
  private final SagaEngine engine;
  private final SagaInvariants invariants;
  private Instant now = Instant.parse("2026-01-01T12:00:00Z");
  private SagaState state;

  RandomSaga(long seed) {
    random = new Random(seed);
    definition = anyDefinition();
    engine = new SagaEngine(definition, new Backoff(Jitter.HASHED));
    state = SagaState.toBeStarted(new UUID(random.nextLong(), random.nextLong()), definition, now);
    invariants = new SagaInvariants(definition);
  }

  SagaDefinition<Journey> definition() {
    return definition;
  }

  SagaStatus status() {
    return state.status();
  }

  /** Whatever comes, in whatever order. */
  void runWild(int events) {
    take(new SagaEvent.Started());
    for (int i = 0; i < events; i++) {
      now = now.plusMillis(random.nextInt(40_000));
      take(random.nextInt(4) == 0 ? new SagaEvent.Due() : anyReply());
    }
  }

  /** Every message that waits for a reply gets its yes at last: no saga may need more than that. */
  void runToItsEnd() {
    for (int i = 0; i <= 2 * definition.steps().size() && !state.status().isEnd(); i++) {
      now = now.plus(Duration.ofSeconds(1));
      take(new SagaEvent.Replied(awaited(), null, "Done"));
    }
  }

  private void take(SagaEvent event) {
    Transition transition = engine.apply(state, event, now);
    invariants.check(state, event, transition, now);
    state = transition.state();
  }

  private String awaited() {
    StepState step =
        state.steps().stream().filter(each -> each.dueAt() != null).findFirst().orElseThrow();
    return step.status() == StepStatus.WAITING
        ? step.name()
        : definition.stepNamed(step.name()).compensation().orElseThrow().name();
  }

  private SagaEvent anyReply() {
    List<String> names = new ArrayList<>(List.of("paint-the-fence"));
    for (Step<Journey> step : definition.steps()) {
      names.add(step.name());
      step.compensation().map(Compensation::name).ifPresent(names::add);
    }
    String name = names.get(random.nextInt(names.size()));
    return new SagaEvent.Replied(name, random.nextInt(5) == 0 ? "REFUSED" : null, "Reply");
  }

  private SagaDefinition<Journey> anyDefinition() {
    int length = 1 + random.nextInt(6);
    Optional<Integer> pivot =
        random.nextBoolean() ? Optional.of(random.nextInt(length)) : Optional.empty();
    List<Step<Journey>> steps = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      steps.add(anyStep(i, pivot.orElse(length)));
    }
    return new SagaDefinition<>("journey", 1, steps);
  }

  private Step<Journey> anyStep(int position, int pivot) {
    String name = "leg-" + position;
    if (position == pivot) {
      return pivot(name).run((Journey journey) -> journey.marked(name));
    }
    return switch (random.nextInt(4)) {
      case 0 -> step(name).run((Journey journey) -> journey.marked(name));
      case 1 -> tell(name);
      default -> position < pivot ? book(name) : tell(name);
    };
  }
}
