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
    assertFails(LetsEveryClaimWin::new, IdempotencyStoreLaws::ofManyClaimsAtOnceOneIsWon);
    assertFails(LetsEveryClaimWin::new, IdempotencyStoreLaws::anUnfinishedOneIsToldWithoutWaiting);
  }

  @Test
  void aStoreThatTakesBytesForTextIsFoundOut() {
    assertFails(
        TakesBytesForText::new, IdempotencyStoreLaws::aCompletedOneIsFoundWithItsExactBytes);
  }

  @Test
  void aStoreThatCommitsItsClaimsByThemselvesIsFoundOut() {
    assertFails(CommitsClaimsAlone::new, IdempotencyStoreLaws::aClaimThatIsRolledBackLeavesNothing);
  }

  @Test
  void aStoreThatForgetsWhatAKeyWasForIsFoundOut() {
    assertFails(ForgetsFingerprints::new, IdempotencyStoreLaws::anotherFingerprintIsTold);
  }

  @Test
  void aStoreThatSharesItsKeysAmongAllIsFoundOut() {
    assertFails(SharesKeys::new, IdempotencyStoreLaws::scopesDoNotMeet);
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
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(laws::anExpiredOneIsAsNewAlsoForAnotherRequest);
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

  private interface Law {
    void holdsFor(IdempotencyStoreLaws laws) throws Exception;
  }

  private static void assertFails(Function<Connection, PostgresTx> broken, Law law) {
    IdempotencyStoreLaws laws =
        new PostgresIdempotencyStoreTest() {
          @Override
          protected Tx begin() throws SQLException {
            return broken.apply(DATABASE.begin());
          }
        };
    assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> law.holdsFor(laws));
  }
}
