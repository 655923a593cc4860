package io.onceflow.idempotency;

import static io.onceflow.idempotency.Idempotent.Mode.LEASED;
import static io.onceflow.idempotency.Idempotent.Mode.TRANSACTIONAL;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.idempotency.internal.store.IdempotencyStore;
import io.onceflow.idempotency.internal.store.LeaseLost;
import io.onceflow.redis.internal.HybridIdempotencyStoreTest;
import io.onceflow.redis.internal.RedisIdempotencyStoreTest;
import io.onceflow.test.stores.ClaimLaws;
import io.onceflow.test.stores.IdempotencyStoreLaws;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A law that no store can break is none: each is broken here by a store that is wrong in one way.
 */
@Timeout(60)
@Tag("nightly")
class StoreLawsCanFailTest {

  /** A law, called on the test class of a store. */
  interface Law {
    void holdsFor(IdempotencyStoreLaws laws) throws Exception;
  }

  record Broken(String what, UnaryOperator<IdempotencyStore> store, Law law) {

    @Override
    public String toString() {
      return what;
    }
  }

  static Stream<Broken> brokenStores() {
    return Stream.of(
        new Broken("never claims", BrokenStores.NeverClaims::new, l -> l.aFirstClaimIsWon(LEASED)),
        new Broken(
            "lets every claim win",
            BrokenStores.LetsEveryClaimWin::new,
            l -> l.ofManyClaimsAtOnceOneIsWon(TRANSACTIONAL)),
        new Broken(
            "lets every claim win, leased",
            BrokenStores.LetsEveryClaimWin::new,
            l -> l.anUnfinishedOneIsToldWithoutWaiting(LEASED)),
        new Broken(
            "lets every claim win, when many find it done",
            BrokenStores.LetsEveryClaimWin::new,
            l -> l.manyFindACompletedOneAtOnce(TRANSACTIONAL)),
        new Broken(
            "lets every claim win, after the first has died",
            BrokenStores.LetsEveryClaimWin::new,
            IdempotencyStoreLaws::aLeaseOutlivesItsProcess),
        new Broken(
            "lets every claim win, after an expired one",
            BrokenStores.LetsEveryClaimWin::new,
            l -> l.anExpiredOneThatRunsAgainIsToldWithoutWaiting(TRANSACTIONAL)),
        new Broken(
            "lets every claim win, while the key comes and goes",
            BrokenStores.LetsEveryClaimWin::new,
            l -> l.aKeyThatComesAndGoesHasOneOwnerAtATime(LEASED)),
        new Broken(
            "never releases",
            BrokenStores.NeverReleases::new,
            l -> l.aClaimThatIsGivenUpLeavesNothing(LEASED)),
        new Broken(
            "keeps answers apart from their transaction",
            BrokenStores.KeepsAnswersApartFromTheirTransaction::new,
            l -> l.anAnswerThatIsRolledBackIsNotKept(TRANSACTIONAL)),
        new Broken(
            "takes bytes for text",
            BrokenStores.TakesBytesForText::new,
            l -> l.aCompletedOneIsFoundWithItsExactBytes(TRANSACTIONAL)),
        new Broken(
            "says something when there is nothing to say",
            BrokenStores.SaysSomethingWhenThereIsNothing::new,
            l -> l.anAnswerWithoutABodyHasNone(TRANSACTIONAL)),
        new Broken(
            "tells the latest answer",
            BrokenStores.TellsTheLatestAnswer::new,
            l -> l.theFirstAnswerStandsHoweverOftenItIsAskedFor(TRANSACTIONAL)),
        new Broken(
            "forgets what a key was for",
            BrokenStores.ForgetsFingerprints::new,
            l -> l.anotherFingerprintIsTold(TRANSACTIONAL)),
        new Broken(
            "shares its keys among all",
            BrokenStores.SharesKeysAmongAll::new,
            l -> l.scopesDoNotMeet(TRANSACTIONAL)),
        new Broken(
            "runs scope and key together",
            BrokenStores.RunsScopeAndKeyTogether::new,
            l -> l.scopeAndKeyDoNotRunTogether(TRANSACTIONAL)),
        new Broken(
            "keeps answers for ever",
            BrokenStores.KeepsAnswersApartFromTheirTransaction::new,
            l -> l.anExpiredOneIsAsNewAlsoForAnotherRequest(TRANSACTIONAL)),
        new Broken(
            "tells nothing", BrokenStores.TellsNothing::new, ClaimLaws::whatBecameOfAKeyIsTold),
        new Broken(
            "tells nothing of what is open",
            BrokenStores.TellsNothing::new,
            ClaimLaws::aKeyInAnOpenTransactionIsToldToRun),
        new Broken(
            "forgets what a key was for, when taking over",
            BrokenStores.ForgetsFingerprints::new,
            IdempotencyStoreLaws::anEndedLeaseIsNotTakenOverByAnotherRequest),
        new Broken(
            "never takes over",
            BrokenStores.NeverClaims::new,
            IdempotencyStoreLaws::anEndedLeaseIsTakenOver),
        new Broken(
            "takes live leases over",
            BrokenLeases.TakesLiveLeasesOver::new,
            IdempotencyStoreLaws::aLiveLeaseIsNotTakenOver),
        new Broken(
            "takes over from an owner that writes",
            BrokenLeases.TakesLiveLeasesOver::new,
            IdempotencyStoreLaws::whoWouldTakeOverFromAnOwnerThatWritesIsToldWithoutWaiting),
        new Broken(
            "lets all take over",
            BrokenLeases.TakesLiveLeasesOver::new,
            IdempotencyStoreLaws::ofManyWhoTakeOverOneSucceeds),
        new Broken(
            "lets the last writer win",
            BrokenLeases.LetsTheLastWriterWin::new,
            IdempotencyStoreLaws::anExpiredOwnerNeverOverwritesItsSuccessor),
        new Broken(
            "completes without a fence",
            BrokenLeases.CompletesWithoutAFence::new,
            IdempotencyStoreLaws::anExpiredOwnerCompletesNothingWhileItsSuccessorRuns),
        new Broken(
            "releases without a fence",
            BrokenLeases.CompletesWithoutAFence::new,
            IdempotencyStoreLaws::anExpiredOwnerDoesNotReleaseItsSuccessor),
        new Broken(
            "completes without a fence, in a second life",
            BrokenLeases.CompletesWithoutAFence::new,
            IdempotencyStoreLaws::aTokenIsNeverUsedTwiceNotEvenAfterItsRecordIsGone),
        new Broken(
            "keeps answers apart, and lets old ones come back",
            BrokenLeases.LetsOldAnswersComeBack::new,
            IdempotencyStoreLaws::aLateWordOfACommitOverwritesNothing),
        new Broken(
            "forgets owners at the end of their lease",
            BrokenLeases.ForgetsOwnersAtTheEndOfTheirLease::new,
            IdempotencyStoreLaws::anOwnerWhoseLeaseEndedCompletesUnlessItWasTakenOver),
        new Broken(
            "gives no signs of life",
            BrokenLeases.GivesNoSignsOfLife::new,
            IdempotencyStoreLaws::aSignOfLifeKeepsTheLease),
        new Broken(
            "renews without a fence",
            BrokenLeases.CompletesWithoutAFence::new,
            IdempotencyStoreLaws::aSignOfLifeThatComesTooLateIsTold),
        new Broken(
            "fences no owner off",
            BrokenLeases.CompletesWithoutAFence::new,
            IdempotencyStoreLaws::aFenceLetsItsOwnerPassAndNoOther),
        new Broken(
            "forgets that it accepted",
            BrokenLeases.ForgetsThatItAccepted::new,
            IdempotencyStoreLaws::anAcceptedOneIsToldToBeSo),
        new Broken(
            "sweeps nothing",
            BrokenLeases.SweepsNothing::new,
            IdempotencyStoreLaws::theSweepTakesOverWhatWasAbandoned),
        new Broken(
            "sweeps at once",
            BrokenLeases.SweepsAtOnce::new,
            IdempotencyStoreLaws::theSweepGivesClientsTimeToComeBackButNotThoseWhoWereToldToWait),
        new Broken(
            "forgets that it accepted, and lets its client wait",
            BrokenLeases.ForgetsThatItAccepted::new,
            IdempotencyStoreLaws::theSweepGivesClientsTimeToComeBackButNotThoseWhoWereToldToWait),
        new Broken(
            "sweeps for others too",
            BrokenLeases.SweepsForOthersToo::new,
            IdempotencyStoreLaws::theSweepLeavesOperationsOfOthersAlone));
  }

  @ParameterizedTest
  @MethodSource("brokenStores")
  void aStoreOnPostgresThat(Broken broken) {
    assertFails(
        broken,
        new PostgresIdempotencyStoreTest() {
          @Override
          protected OneProcess process() {
            return new BrokenProcess(super.process(), broken.store());
          }
        });
  }

  @ParameterizedTest
  @MethodSource("brokenStores")
  void aStoreOnRedisThat(Broken broken) {
    assertFails(
        broken,
        new RedisIdempotencyStoreTest() {
          @Override
          protected OneProcess process() {
            return new BrokenProcess(super.process(), broken.store());
          }
        });
  }

  @ParameterizedTest
  @MethodSource("brokenStores")
  void aHybridStoreThat(Broken broken) {
    assertFails(
        broken,
        new HybridIdempotencyStoreTest() {
          @Override
          protected OneProcess process() {
            return new BrokenProcess(super.process(), broken.store());
          }
        });
  }

  private static void assertFails(Broken broken, IdempotencyStoreLaws laws) {
    assertThatThrownBy(() -> broken.law().holdsFor(laws))
        .isInstanceOfAny(AssertionError.class, LeaseLost.class);
  }
}
