package io.onceflow.idempotency;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.onceflow.idempotency.PostgresIdempotencyStoreTest.PostgresTx;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** A law that no store can break is none: each of these stores is broken in one way. */
class StoreLawsCanFailTest {

  @Test
  void aStoreThatLetsEveryClaimWinIsFoundOut() {
    IdempotencyStoreLaws laws = lawsFor(LetsEveryClaimWin::new);
    assertFails(laws::ofManyClaimsAtOnceOneIsWon);
    assertFails(laws::anUnfinishedOneIsToldWithoutWaiting);
  }

  @Test
  void aStoreThatTakesBytesForTextIsFoundOut() {
    assertFails(lawsFor(TakesBytesForText::new)::aCompletedOneIsFoundWithItsExactBytes);
  }

  @Test
  void aStoreThatCommitsItsClaimsByThemselvesIsFoundOut() {
    assertFails(lawsFor(CommitsClaimsAlone::new)::aClaimThatIsRolledBackLeavesNothing);
  }

  @Test
  void aStoreThatForgetsWhatAKeyWasForIsFoundOut() {
    assertFails(lawsFor(ForgetsFingerprints::new)::anotherFingerprintIsTold);
  }

  @Test
  void aStoreThatSharesItsKeysAmongAllIsFoundOut() {
    assertFails(lawsFor(SharesKeys::new)::scopesDoNotMeet);
  }

  @Test
  void aStoreThatNeverForgetsIsFoundOut() {
    IdempotencyStoreLaws laws =
        new PostgresIdempotencyStoreTest() {
          @Override
          protected void expire(String scope, IdempotencyKey key) {
            // Keeps everything for ever.
          }
        };
    assertFails(laws::anExpiredOneIsAsNewAlsoForAnotherRequest);
  }

  private static class LetsEveryClaimWin extends PostgresTx {

    LetsEveryClaimWin(Connection connection) {
      super(connection);
    }

    @Override
    public Claim claim(String scope, IdempotencyKey key, Fingerprint print, Duration kept)
        throws SQLException {
      return super.claim(scope + UUID.randomUUID(), key, print, kept);
    }
  }

  private static class TakesBytesForText extends PostgresTx {

    TakesBytesForText(Connection connection) {
      super(connection);
    }

    @Override
    public void complete(String scope, IdempotencyKey key, StoredResponse response)
        throws SQLException {
      byte[] decoded = new String(response.body(), UTF_8).getBytes(UTF_8);
      super.complete(
          scope, key, new StoredResponse(response.status(), response.headers(), decoded));
    }
  }

  private static class CommitsClaimsAlone extends PostgresTx {

    CommitsClaimsAlone(Connection connection) {
      super(connection);
    }

    @Override
    public Claim claim(String scope, IdempotencyKey key, Fingerprint print, Duration kept)
        throws SQLException {
      Claim claim = super.claim(scope, key, print, kept);
      commit();
      return claim;
    }
  }

  private static class ForgetsFingerprints extends PostgresTx {

    ForgetsFingerprints(Connection connection) {
      super(connection);
    }

    @Override
    public Claim claim(String scope, IdempotencyKey key, Fingerprint print, Duration kept)
        throws SQLException {
      return super.claim(scope, key, Fingerprint.of(), kept);
    }
  }

  private static class SharesKeys extends PostgresTx {

    SharesKeys(Connection connection) {
      super(connection);
    }

    @Override
    public Claim claim(String scope, IdempotencyKey key, Fingerprint print, Duration kept)
        throws SQLException {
      return super.claim("everybody", key, print, kept);
    }

    @Override
    public void complete(String scope, IdempotencyKey key, StoredResponse response)
        throws SQLException {
      super.complete("everybody", key, response);
    }
  }

  private static IdempotencyStoreLaws lawsFor(Function<Connection, PostgresTx> broken) {
    return new PostgresIdempotencyStoreTest() {
      @Override
      protected Tx begin() throws SQLException {
        return broken.apply(DATABASE.begin());
      }
    };
  }

  private interface Law {
    void holds() throws Exception;
  }

  private static void assertFails(Law law) {
    assertThatExceptionOfType(AssertionError.class).isThrownBy(law::holds);
  }
}
