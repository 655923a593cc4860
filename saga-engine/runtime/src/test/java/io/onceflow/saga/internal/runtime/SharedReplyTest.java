package io.onceflow.saga.internal.runtime;

import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.step;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.consumer.InboundMessage;
import io.onceflow.message.Command;
import io.onceflow.message.Done;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.Saga;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.SagaRepository;
import io.onceflow.saga.internal.Reply;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.messaging.ReplyReader;
import io.onceflow.saga.internal.store.LockedSaga;
import io.onceflow.saga.internal.store.SagaOrigin;
import io.onceflow.saga.internal.store.Shop;
import io.onceflow.saga.internal.store.StoredSaga;
import java.nio.charset.StandardCharsets;
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
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** One record that answers several commands, and several steps that send one command. */
class SharedReplyTest {

  private static final UUID ID = new UUID(0, 1);

  private final SagaRunners runners = runners(new Visitors(), new Visit());
  private final ReplyReader reader = new ReplyReader(new ObjectMapper(), runners.replies());

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

  /** Seen red: it was parked as no answer to any step but the first one of its commands. */
  @Test
  void aRecordThatAnswersTwoCommandsAnswersTheStepThatItsReplyNames() throws SQLException {
    assertThat(objection("seat")).isEmpty();
    assertThat(objection("coat")).isEmpty();
    assertThat(objection("hat")).isEmpty();
  }

  /** Seen red: at the second step of a command it was taken, and the subject told nothing. */
  @Test
  void aSuccessOfATypeThatIsNotKnownIsLeftToANewerReplicaByEachStepThatTakesOne() {
    assertThat(read("TakenWithTicket", "seat")).isEmpty();
    assertThat(read("TakenWithTicket", "hat")).isEmpty();
    assertThat(read("TakenWithTicket", "bag")).isPresent();
  }

  private Optional<String> objection(String step) throws SQLException {
    SagaEvent.Replied reply =
        new SagaEvent.Replied(read("Taken", step).orElseThrow(), step, "hash");
    LockedSaga<?> saga =
        runners.of("visit").load(Shop.in(null), List.of(stored(new Visit(), ID))).getFirst();
    return runners.replyPolicy().objection(saga, reply, "cinema.hall-service");
  }

  private Optional<Reply> read(String type, String step) {
    Map<String, String> headers =
        Map.of(
            "x-idempotency-key", "key",
            "x-idempotency-scope", "ada",
            "x-saga-origin", "cinema/visit",
            "x-saga-step", step,
            "x-outcome", "done");
    byte[] payload = "{\"id\": \"%s\"}".formatted(ID).getBytes(StandardCharsets.UTF_8);
    Delivery delivery =
        new Delivery("cinema.replies", "1", type, ID.toString(), null, headers, payload, () -> {});
    return reader.read(
        InboundMessage.read(delivery), new Visit().definition(), runners.of("visit").replies());
  }

  private static SagaRunners runners(Visitors visitors, Saga<?>... sagas) {
    return new TestRuntime(new ObjectMapper(), "cinema", Map.of())
        .runners(List.of(sagas), List.of(visitors), new UnitOfWork(new PGSimpleDataSource(), null));
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
    SagaRunners several = runners(visitors, new Visit(), new Tour());

    SagaRunners.lockSubjects(
        Shop.in(null),
        Map.of(
            several.of("visit"), List.of(stored(new Visit(), other)),
            several.of("tour"), List.of(stored(new Tour(), ID))));

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
