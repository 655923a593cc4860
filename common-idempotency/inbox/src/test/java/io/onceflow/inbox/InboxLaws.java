package io.onceflow.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.inbox.internal.InboxRow;
import io.onceflow.participant.PendingSteps;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What every inbox must do, whatever it is made of. One passes by a subclass that says how to begin
 * a transaction on it.
 */
@Timeout(60)
public abstract class InboxLaws extends InboxUnderTest {

  @Test
  void theFirstInsertWins() throws Exception {
    assertThat(insert(started(id))).containsExactly(id);
    assertThat(insert(started(id))).isEmpty();
    assertThat(insert(InboxRow.completed(id, PRINT, "{}"))).isEmpty();
    assertThat(insert(InboxRow.tombstone(id))).isEmpty();
    assertThat(find(id).status()).isEqualTo(InboxRow.Status.STARTED);
  }

  @Test
  void ofManyInsertsAtOnceOneWins() throws Exception {
    int clients = 16;
    CyclicBarrier atOnce = new CyclicBarrier(clients);
    List<Set<InboxRow.Id>> inserted = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
      List<Future<Set<InboxRow.Id>>> inserts =
          IntStream.range(0, clients)
              .mapToObj(
                  i ->
                      threads.submit(
                          () -> {
                            atOnce.await();
                            return insert(started(id));
                          }))
              .toList();
      for (Future<Set<InboxRow.Id>> insert : inserts) {
        inserted.add(insert.get());
      }
    }
    assertThat(inserted).filteredOn(ids -> ids.contains(id)).hasSize(1);
    assertThat(inserted).filteredOn(Set::isEmpty).hasSize(clients - 1);
  }

  @Test
  void anInsertThatIsRolledBackLeavesNothing() throws Exception {
    try (Tx tx = begin()) {
      tx.insert(Map.of(started(id), HOUR));
    }
    assertThat(insert(started(id))).containsExactly(id);
  }

  @Test
  void eachRowIsInsertedWithALeaseAndAttemptsOfItsOwn() throws Exception {
    InboxRow due = started(id("due")).withAttempts(0);
    inTransaction(tx -> tx.insert(Map.of(due, Duration.ZERO, started(id), HOUR)));
    List<InboxRow> taken = takeOver();
    assertThat(taken).extracting(InboxRow::id).containsExactly(due.id());
    assertThat(taken.getFirst().attempts()).isEqualTo(1);
  }

  @Test
  void aTakenRowDoesNotSpoilTheOthersOfItsSet() throws Exception {
    insert(started(id));
    assertThat(insert(started(id("a")), started(id), started(id("z"))))
        .containsExactlyInAnyOrder(id("a"), id("z"));
  }

  @Test
  void scopesDoNotMeet() throws Exception {
    insert(started(id));
    InboxRow.Id others = new InboxRow.Id(scope + "2", id.stepKey());
    assertThat(insert(started(others))).containsExactly(others);
  }

  @Test
  void aStepIsCompletedUnderItsToken() throws Exception {
    insert(started(id));
    assertThat(complete(started(id), "{}")).containsExactly(id);
    assertThat(find(id).status()).isEqualTo(InboxRow.Status.COMPLETED);
  }

  @Test
  void aStepIsCompletedUnderNoOtherToken() throws Exception {
    insert(started(id));
    assertThat(complete(withToken(2), "{}")).isEmpty();
    assertThat(complete(withToken(0), "{}")).isEmpty();
    assertThat(find(id).status()).isEqualTo(InboxRow.Status.STARTED);
  }

  @Test
  void aFencedOffOwnerWritesNothing() throws Exception {
    insert(started(id));
    InboxRow successor = endLeaseAndTakeOver();
    assertThat(complete(started(id), "\"late\"")).isEmpty();
    assertThat(postpone(started(id), HOUR)).isEmpty();
    assertThat(find(id).outcome()).isNull();
    assertThat(complete(successor, "\"in time\"")).containsExactly(id);
    assertThat(complete(started(id), "\"late\"")).isEmpty();
    assertThat(find(id).outcome()).isEqualTo("\"in time\"");
  }

  @Test
  void aCompletedStepIsNotCompletedAgain() throws Exception {
    insert(started(id));
    complete(started(id), "1");
    assertThat(complete(started(id), "2")).isEmpty();
    assertThat(find(id).outcome()).isEqualTo("1");
  }

  @Test
  void ofASetOnlyThoseWithTheirTokenAreCompleted() throws Exception {
    insert(started(id), started(id("other")));
    Set<InboxRow.Id> completed =
        inTransaction(tx -> tx.complete(Map.of(withToken(7), "1", started(id("other")), "2")));
    assertThat(completed).containsExactly(id("other"));
  }

  @Test
  void aLeaseThatRunsIsNotTakenOver() throws Exception {
    insert(started(id));
    assertThat(takeOver()).isEmpty();
  }

  @Test
  void aLeaseThatIsOverIsTakenOverUnderTheNextToken() throws Exception {
    insert(started(id));
    InboxRow taken = endLeaseAndTakeOver();
    assertThat(taken.fencingToken()).isEqualTo(2);
    assertThat(taken.attempts()).isEqualTo(2);
    assertThat(taken.status()).isEqualTo(InboxRow.Status.STARTED);
    assertThat(taken.fingerprint()).isEqualTo(PRINT);
    assertThat(taken.envelope()).isEqualTo(TEXT);
    assertThat(takeOver()).as("it has a new lease").isEmpty();
    assertThat(endLeaseAndTakeOver().fencingToken()).isEqualTo(3);
  }

  @Test
  void aTakeOverThatIsRolledBackLeavesTheTokenAsItWas() throws Exception {
    insert(started(id));
    endLease(id);
    try (Tx tx = begin()) {
      assertThat(tx.takeOver(ALL, HOUR)).hasSize(1);
    }
    assertThat(find(id).fencingToken()).isEqualTo(1);
    assertThat(complete(started(id), "{}")).containsExactly(id);
  }

  @Test
  void aStepThatIsPutOffIsNobodysUntilItsPauseIsOver() throws Exception {
    insert(started(id));
    assertThat(postpone(started(id), Duration.ZERO)).containsExactly(id);
    InboxRow taken = takeOver().getFirst();
    assertThat(postpone(taken, HOUR)).containsExactly(id);
    assertThat(takeOver()).isEmpty();
  }

  @Test
  void aStepRestsUntilItsPauseIsOverAndNoAttemptIsCounted() throws Exception {
    insert(started(id));
    InboxRow taken = endLeaseAndTakeOver();
    assertThat(rest(taken, HOUR)).containsExactly(id);
    assertThat(takeOver()).isEmpty();
    assertThat(find(id)).matches(InboxRow::isPending).matches(InboxRow::isResting);
    InboxRow again = endLeaseAndTakeOver();
    assertThat(again.attempts()).isEqualTo(1);
    assertThat(again).matches(InboxRow::isPending).matches(row -> !row.isResting());
    assertThat(find(id)).as("it is attempted").matches(row -> !row.isResting());
  }

  @Test
  void aStepIsPendingSinceItsFirstAnswerAlsoWhenItRestsAgain() throws Exception {
    insert(InboxRow.pending(id, PRINT, TEXT));
    Instant since = find(id).pendingSince();
    assertThat(since).isNotNull();
    assertThat(find(id)).matches(InboxRow::isResting);
    rest(endLeaseAndTakeOver(), HOUR);
    assertThat(find(id).pendingSince()).isEqualTo(since);
  }

  @Test
  void aFencedOffOwnerLetsNothingRest() throws Exception {
    insert(started(id));
    endLeaseAndTakeOver();
    assertThat(rest(started(id), Duration.ZERO)).isEmpty();
    assertThat(find(id).pendingSince()).isNull();
    assertThat(takeOver()).isEmpty();
  }

  @Test
  void aStepThatRestsIsDueWhenItIsWoken() throws Exception {
    insert(started(id));
    rest(started(id), HOUR);
    assertThat(wake(id)).isEqualTo(PendingSteps.Result.WOKEN);
    assertThat(takeOver()).extracting(InboxRow::id).containsExactly(id);
  }

  /** The event comes after the attempt has looked and before it has told what it saw. */
  @Test
  void aStepThatWasWokenWhileItWasAttemptedIsDueAsSoonAsItRests() throws Exception {
    insert(started(id));
    assertThat(wake(id)).isEqualTo(PendingSteps.Result.UNDER_WAY);
    assertThat(takeOver()).as("its owner has its lease").isEmpty();
    rest(started(id), HOUR);
    InboxRow taken = takeOver().getFirst();
    rest(taken, HOUR);
    assertThat(takeOver()).as("one event, one look").isEmpty();
  }

  @Test
  void whatHasEndedOrIsUnknownIsNotWoken() throws Exception {
    insert(started(id), InboxRow.tombstone(id("c")));
    rest(started(id), HOUR);
    complete(find(id), "{}");
    assertThat(wake(id)).isEqualTo(PendingSteps.Result.ENDED);
    assertThat(wake(id("c"))).isEqualTo(PendingSteps.Result.ENDED);
    assertThat(wake(id("never-came"))).isEqualTo(PendingSteps.Result.UNKNOWN);
    assertThat(takeOver()).isEmpty();
  }

  @Test
  void whatIsNotStartedIsNeverTakenOver() throws Exception {
    insert(started(id), InboxRow.completed(id("b"), PRINT, "{}"), InboxRow.tombstone(id("c")));
    complete(started(id), "{}");
    assertThat(takeOver()).isEmpty();
  }

  /** Would not end if the second sweeper waited for the first: both are held by one thread. */
  @Test
  void twoSweepersShareTheWork() throws Exception {
    List<InboxRow.Id> due = Stream.of("a", "b", "c", "d", "e").map(this::id).toList();
    for (InboxRow.Id one : due) {
      insert(started(one));
      endLease(one);
    }
    try (Tx first = begin();
        Tx second = begin()) {
      List<InboxRow.Id> both = new ArrayList<>();
      first.takeOver(2, HOUR).forEach(row -> both.add(row.id()));
      assertThat(both).hasSize(2);
      second.takeOver(ALL, HOUR).forEach(row -> both.add(row.id()));
      assertThat(both).containsExactlyInAnyOrderElementsOf(due);
    }
  }

  @Test
  void aTombstoneStands() throws Exception {
    insert(InboxRow.tombstone(id));
    assertThat(insert(started(id))).isEmpty();
    assertThat(complete(started(id), "{}")).isEmpty();
    assertThat(postpone(started(id), Duration.ZERO)).isEmpty();
    assertThat(find(id).status()).isEqualTo(InboxRow.Status.TOMBSTONE);
    assertThat(find(id).fingerprint()).isNull();
  }

  @Test
  void anOutcomeIsKeptLetterForLetter() throws Exception {
    insert(started(id), InboxRow.completed(id("at-once"), PRINT, TEXT));
    complete(started(id), TEXT);
    assertThat(find(id).outcome()).isEqualTo(TEXT);
    assertThat(find(id("at-once")).outcome()).isEqualTo(TEXT);
    assertThat(find(id).fingerprint()).isEqualTo(PRINT);
  }
}
