package io.onceflow.saga.internal.runtime;

import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.step;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.message.Command;
import io.onceflow.message.Done;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.participant.Answer.ReplyOutcome;
import io.onceflow.saga.Saga;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.api.SagaRepository;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.messaging.RecordReply;
import io.onceflow.saga.internal.runtime.LockedSagas.Route;
import io.onceflow.saga.internal.store.DeliveredReply;
import io.onceflow.saga.internal.store.ReplyEnvelope;
import io.onceflow.saga.internal.store.ReplyPolicy;
import io.onceflow.saga.internal.store.SagaOrigin;
import io.onceflow.saga.internal.store.Shop;
import io.onceflow.saga.internal.store.StoredSaga;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** One record that answers several commands, and several steps that send one command. */
class SharedReplyTest {

  private static final UUID ID = new UUID(0, 1);

  private final LockedSagas locked =
      new LockedSagas(new ReplyPolicy("cinema", Map.of()), Instant.now());

  @Command("hall.seat")
  record TakeSeat(UUID id) {}

  @Command("hall.coat")
  record TakeCoat(UUID id) {}

  @Done({TakeSeat.class, TakeCoat.class})
  record Taken(UUID id) {}

  /** Two of its steps send one command. */
  private static final class Visit implements Saga<UUID> {

    @Override
    public SagaDefinition<UUID> definition() {
      return saga(
          "visit",
          1,
          step("seat")
              .send(TakeSeat.class, TakeSeat::new)
              .on(Taken.class, (UUID it, Taken r) -> it),
          step("coat")
              .send(TakeCoat.class, TakeCoat::new)
              .on(Taken.class, (UUID it, Taken r) -> it),
          step("hat").send(TakeCoat.class, TakeCoat::new).on(Taken.class, (UUID it, Taken r) -> it),
          step("bag").send(TakeCoat.class, TakeCoat::new));
    }
  }

  @BeforeEach
  void lock() throws SQLException {
    Visit visit = new Visit();
    SagaRunner<?> runner =
        new TestRuntime(new ObjectMapper(), "cinema", Map.of())
            .runners(
                List.of(visit),
                List.of(new Visitors()),
                new UnitOfWork(new PGSimpleDataSource(), null, null))
            .of("visit");
    locked.add(
        Shop.in(null),
        runner,
        List.of(
            new StoredSaga(
                new SagaOrigin(ID, "ada", "key", "cinema/visit", null),
                SagaState.toBeStarted(ID, visit.definition(), Instant.now()))));
  }

  /** Seen red: it was parked as no answer to any step but the first one of its commands. */
  @Test
  void aRecordThatAnswersTwoCommandsAnswersTheStepThatItsReplyNames() {
    assertThat(objection("seat")).isEmpty();
    assertThat(objection("coat")).isEmpty();
    assertThat(objection("hat")).isEmpty();
  }

  /** Seen red: at the second step of a command it was taken, and the subject told nothing. */
  @Test
  void aSuccessOfATypeThatIsNotKnownIsLeftToANewerReplicaByEachStepThatTakesOne() {
    assertThat(route("TakenWithTicket", "seat")).isInstanceOf(Route.NotKnown.class);
    assertThat(route("TakenWithTicket", "hat")).isInstanceOf(Route.NotKnown.class);
    assertThat(route("TakenWithTicket", "bag")).isInstanceOf(Route.ByOutcome.class);
  }

  private Optional<String> objection(String step) {
    Route.Known known = (Route.Known) route("Taken", step);
    RecordReply reply =
        RecordReply.of(
            String.valueOf(known.step()), "Taken", ReplyOutcome.DONE, new Taken(ID), () -> "none");
    ReplyEnvelope envelope = envelope(step);
    return locked.objection(
        new DeliveredReply(ID, reply, envelope.answeredStep(), "hash"), envelope);
  }

  private Route route(String type, String step) {
    return locked.route(ID, type, ReplyOutcome.DONE, envelope(step));
  }

  private static ReplyEnvelope envelope(String step) {
    return new ReplyEnvelope("cinema.hall-service", "ada", "key", "cinema/visit", step);
  }

  /** About the same visitors. */
  private static final class Tour implements Saga<UUID> {

    @Override
    public SagaDefinition<UUID> definition() {
      return saga("tour", 1, step("bag").send(TakeCoat.class, TakeCoat::new));
    }
  }

  /** Before: each definition's subjects after those of the one before. */
  @Test
  void subjectsOfSeveralDefinitionsAreLockedTogether() throws SQLException {
    UUID other = new UUID(0, 2);
    Visitors visitors = new Visitors();
    SagaRunners runners =
        new TestRuntime(new ObjectMapper(), "cinema", Map.of())
            .runners(
                List.of(new Visit(), new Tour()),
                List.of(visitors),
                new UnitOfWork(new PGSimpleDataSource(), null, null));

    SagaRunners.lockSubjects(
        Shop.in(null),
        Map.of(
            runners.of("visit"), List.of(stored(new Visit(), other)),
            runners.of("tour"), List.of(stored(new Tour(), ID))));

    assertThat(visitors.loaded).containsExactly(Set.of(ID, other));
  }

  private static StoredSaga stored(Saga<UUID> saga, UUID subject) {
    String origin = "cinema/" + saga.definition().name();
    return new StoredSaga(
        new SagaOrigin(subject, "ada", "key", origin, null),
        SagaState.toBeStarted(UUID.randomUUID(), saga.definition(), Instant.now()));
  }

  private static final class Visitors implements SagaRepository<UUID> {

    private final List<Set<UUID>> loaded = new ArrayList<>();

    @Override
    public UUID id(UUID visitor) {
      return visitor;
    }

    @Override
    public String type() {
      return "visitor";
    }

    @Override
    public Map<UUID, UUID> load(Transaction tx, Set<UUID> ids) {
      loaded.add(ids);
      return ids.stream().collect(Collectors.toMap(id -> id, id -> id));
    }

    @Override
    public void insert(Transaction tx, Collection<UUID> visitors) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void save(Transaction tx, Collection<UUID> changed) {
      throw new UnsupportedOperationException();
    }
  }
}
