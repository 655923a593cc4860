package io.onceflow.test.stores;

import static io.onceflow.idempotency.Idempotent.Mode.LEASED;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.onceflow.idempotency.internal.store.Claim;
import io.onceflow.idempotency.internal.store.ClaimTakenOver;
import io.onceflow.idempotency.internal.store.CompletedResponse;
import io.onceflow.idempotency.internal.store.LeaseLost;
import io.onceflow.idempotency.internal.store.Ownership;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * What every store of the guard must do, whatever it is made of: {@link ClaimLaws}, and here those
 * of leases. A store passes by a subclass that says how its processes start and commit, and how
 * time passes.
 */
public abstract class IdempotencyStoreLaws extends ClaimLaws {

  private static final Duration NOT_LONG = Duration.ZERO;
  private static final Duration LONG = Duration.ofHours(1);

  @Test
  public void aLeaseOutlivesItsProcess() throws Exception {
    try (OneProcess dying = process()) {
      win(dying, LEASED);
    }
    assertThat(ask(LEASED)).isInstanceOf(Claim.InProgress.class);
  }

  @Test
  public void anEndedLeaseIsTakenOver() throws Exception {
    long token = claimAndDie().token();
    Ownership successor = won(ask(LEASED));
    assertThat(successor.isTakenOver()).isTrue();
    assertThat(successor.token()).isNotEqualTo(token);
  }

  @Test
  public void anEndedLeaseIsNotTakenOverByAnotherRequest() throws Exception {
    claimAndDie();
    assertThat(ask(request(LEASED, OTHER))).isInstanceOf(Claim.Reused.class);
  }

  @Test
  public void aLiveLeaseIsNotTakenOver() throws Exception {
    try (OneProcess process = process()) {
      win(process, LEASED);
      assertThat(ask(LEASED)).isInstanceOf(Claim.InProgress.class);
      assertThat(ask(request(LEASED, OTHER))).isInstanceOf(Claim.Reused.class);
    }
  }

  @Test
  public void ofManyWhoTakeOverOneSucceeds() throws Exception {
    claimAndDie();
    int clients = 16;
    List<Claim> claims =
        together(
            clients,
            () -> {
              try (OneProcess process = process()) {
                return process.store().claim(request(LEASED));
              }
            });
    assertThat(claims).filteredOn(Claim.Won.class::isInstance).hasSize(1);
    assertThat(claims).filteredOn(Claim.InProgress.class::isInstance).hasSize(clients - 1);
  }

  @Test
  public void anExpiredOwnerNeverOverwritesItsSuccessor() throws Exception {
    try (OneProcess slow = process()) {
      Ownership late = win(slow, LEASED);
      endLease(key);
      run(LEASED, response("the successor's"));
      slow.begin();
      assertThatExceptionOfType(LeaseLost.class)
          .isThrownBy(() -> slow.store().complete(late, response("too late")));
      giveUp(slow, late);
    }
    assertThat(find(LEASED).body()).isEqualTo("the successor's".getBytes(UTF_8));
  }

  @Test
  public void anExpiredOwnerCompletesNothingWhileItsSuccessorRuns() throws Exception {
    try (OneProcess slow = process();
        OneProcess next = process()) {
      Ownership late = win(slow, LEASED);
      endLease(key);
      Ownership successor = win(next, LEASED);
      slow.begin();
      assertThatExceptionOfType(LeaseLost.class)
          .isThrownBy(() -> slow.store().complete(late, response("too late")));
      giveUp(slow, late);
      next.begin();
      keep(next, successor, response("in time"));
    }
    assertThat(find(LEASED).body()).isEqualTo("in time".getBytes(UTF_8));
  }

  /** The word of a commit may come late: by then the place may be another's. */
  @Test
  public void aLateWordOfACommitOverwritesNothing() throws Exception {
    try (OneProcess slow = process()) {
      Ownership own = win(slow, LEASED);
      slow.begin();
      CompletedResponse kept = slow.store().complete(own, response("old"));
      slow.commit();
      expire(key);
      run(LEASED, response("new"));
      slow.store().committed(own, kept);
    }
    assertThat(find(LEASED).body()).isEqualTo("new".getBytes(UTF_8));
  }

  @Test
  public void anExpiredOwnerDoesNotReleaseItsSuccessor() throws Exception {
    try (OneProcess slow = process();
        OneProcess next = process()) {
      Ownership late = win(slow, LEASED);
      endLease(key);
      Ownership successor = win(next, LEASED);
      slow.store().release(late);
      assertThat(ask(LEASED)).isInstanceOf(Claim.InProgress.class);
      next.begin();
      keep(next, successor, response("in peace"));
    }
  }

  @Test
  public void aTokenIsNeverUsedTwiceNotEvenAfterItsRecordIsGone() throws Exception {
    try (OneProcess slow = process();
        OneProcess next = process()) {
      Ownership late = win(slow, LEASED);
      endLease(key);
      expire(key);
      Ownership successor = win(next, LEASED);
      assertThat(successor.token()).isNotEqualTo(late.token());
      slow.begin();
      assertThatExceptionOfType(LeaseLost.class)
          .isThrownBy(() -> slow.store().complete(late, response("of a former life")));
    }
  }

  @Test
  public void anOwnerWhoseLeaseEndedCompletesUnlessItWasTakenOver() throws Exception {
    try (OneProcess slow = process()) {
      Ownership own = win(slow, LEASED);
      endLease(key);
      slow.begin();
      keep(slow, own, response("late, but first"));
    }
    assertThat(find(LEASED).body()).isEqualTo("late, but first".getBytes(UTF_8));
  }

  @Test
  public void aSignOfLifeKeepsTheLease() throws Exception {
    try (OneProcess process = process()) {
      Ownership own = win(process, LEASED);
      endLease(key);
      assertThat(process.store().renew(List.of(own))).isEmpty();
      assertThat(ask(LEASED)).isInstanceOf(Claim.InProgress.class);
    }
  }

  @Test
  public void aSignOfLifeThatComesTooLateIsTold() throws Exception {
    try (OneProcess slow = process();
        OneProcess next = process()) {
      Ownership late = win(slow, LEASED);
      endLease(key);
      Ownership successor = win(next, LEASED);
      assertThat(slow.store().renew(Set.of(late))).containsExactly(late);
      assertThat(next.store().renew(Set.of(successor))).isEmpty();
    }
  }

  @Test
  public void aFenceLetsItsOwnerPassAndNoOther() throws Exception {
    try (OneProcess slow = process();
        OneProcess next = process()) {
      Ownership late = win(slow, LEASED);
      slow.begin();
      slow.store().fence(late);
      slow.commit();
      endLease(key);
      win(next, LEASED);
      slow.begin();
      assertThatExceptionOfType(LeaseLost.class).isThrownBy(() -> slow.store().fence(late));
    }
  }

  /** Would not end if it waited: both are held by one thread. */
  @Test
  public void whoWouldTakeOverFromAnOwnerThatWritesIsToldWithoutWaiting() throws Exception {
    try (OneProcess slow = process()) {
      Ownership own = win(slow, LEASED);
      endLease(key);
      slow.begin();
      slow.store().fence(own);
      assertThat(ask(LEASED)).isInstanceOf(Claim.InProgress.class);
      keep(slow, own, response("in time"));
    }
    assertThat(find(LEASED).body()).isEqualTo("in time".getBytes(UTF_8));
  }

  @Test
  public void anAcceptedOneIsToldToBeSo() throws Exception {
    try (OneProcess process = process()) {
      Ownership own = win(process, LEASED);
      process.store().accept(own);
      assertThat(ask(LEASED))
          .isInstanceOfSatisfying(
              Claim.InProgress.class, running -> assertThat(running.isAccepted()).isTrue());
    }
  }

  @Test
  public void theSweepTakesOverWhatWasAbandoned() throws Exception {
    Ownership dead;
    try (OneProcess dying = process()) {
      dead = win(dying, LEASED);
      dying.store().accept(dead);
    }
    assertThat(sweep()).isEmpty();
    endLease(key);
    List<ClaimTakenOver> swept = sweep();
    assertThat(swept).hasSize(1);
    assertThat(swept.getFirst().isAccepted()).isTrue();
    assertThat(swept.getFirst().key()).isEqualTo(key);
    assertThat(swept.getFirst().ownership().token()).isNotEqualTo(dead.token());
    assertThat(sweep()).as("it is the first sweep's now").isEmpty();
    assertThat(ask(LEASED)).isInstanceOf(Claim.InProgress.class);
  }

  @Test
  public void theSweepLeavesOperationsOfOthersAlone() throws Exception {
    claimAndDie();
    try (OneProcess process = process()) {
      assertThat(
              process.store().takeOverAbandoned(Set.of("operation-of-mine"), NOT_LONG, LEASE, 100))
          .isEmpty();
    }
    assertThat(sweep()).hasSize(1);
  }

  @Test
  public void theSweepGivesClientsTimeToComeBackButNotThoseWhoWereToldToWait() throws Exception {
    Ownership dead = claimAndDie();
    assertThat(sweep(LONG)).as("the client may still come back").isEmpty();
    try (OneProcess process = process()) {
      process.store().accept(dead);
    }
    assertThat(sweep(LONG)).as("it was told 202").hasSize(1);
  }

  private List<ClaimTakenOver> sweep() throws Exception {
    return sweep(NOT_LONG);
  }

  private List<ClaimTakenOver> sweep(Duration grace) throws Exception {
    try (OneProcess process = process()) {
      return process.store().takeOverAbandoned(Set.of(operation), grace, LEASE, 100);
    }
  }

  private Ownership claimAndDie() throws Exception {
    Ownership own;
    try (OneProcess dying = process()) {
      own = win(dying, LEASED);
    }
    endLease(key);
    return own;
  }
}
