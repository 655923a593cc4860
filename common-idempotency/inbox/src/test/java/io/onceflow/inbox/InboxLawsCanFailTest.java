package io.onceflow.inbox;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.inbox.PostgresInboxTest.PostgresTx;
import io.onceflow.inbox.internal.InboxRow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A law that no inbox can break is none: each of these is broken in one way. */
class InboxLawsCanFailTest {

  /** Rule 4 taken out: the completion asks for the status alone. */
  @Test
  void anInboxThatCompletesWithoutLookingAtTheTokenIsFoundOut() {
    assertFails(CompletesWithoutToken::new, InboxLaws::aFencedOffOwnerWritesNothing);
    assertFails(CompletesWithoutToken::new, InboxLaws::aStepIsCompletedUnderNoOtherToken);
    assertFails(CompletesWithoutToken::new, InboxLaws::ofASetOnlyThoseWithTheirTokenAreCompleted);
  }

  @Test
  void anInboxWhoseTakeOverKeepsTheTokenIsFoundOut() {
    assertFails(KeepsTheToken::new, InboxLaws::aLeaseThatIsOverIsTakenOverUnderTheNextToken);
    assertFails(KeepsTheToken::new, InboxLaws::aFencedOffOwnerWritesNothing);
  }

  @Test
  void anInboxThatLetsEveryInsertWinIsFoundOut() {
    assertFails(LetsEveryInsertWin::new, InboxLaws::theFirstInsertWins);
    assertFails(LetsEveryInsertWin::new, InboxLaws::ofManyInsertsAtOnceOneWins);
    assertFails(LetsEveryInsertWin::new, InboxLaws::aTombstoneStands);
  }

  @Test
  void anInboxThatWritesOutcomesAnewIsFoundOut() {
    assertFails(WritesOutcomesAnew::new, InboxLaws::anOutcomeIsKeptLetterForLetter);
  }

  private static class CompletesWithoutToken extends PostgresTx {

    CompletesWithoutToken(Connection connection) {
      super(connection);
    }

    @Override
    public Set<InboxRow.Id> complete(Map<InboxRow, String> outcomes) throws SQLException {
      Set<InboxRow.Id> completed = new HashSet<>();
      for (var outcome : outcomes.entrySet()) {
        try (PreparedStatement update =
            connection.prepareStatement(
                """
                UPDATE inbox_message
                SET    status = 'COMPLETED', outcome = ?::json, completed_at = now(),
                       lease_expires_at = NULL, envelope = NULL
                WHERE  scope = ?
                AND    step_key = ?
                AND    status = 'STARTED'
                """)) {
          update.setString(1, outcome.getValue());
          update.setString(2, outcome.getKey().scope());
          update.setString(3, outcome.getKey().stepKey());
          if (update.executeUpdate() == 1) {
            completed.add(outcome.getKey().id());
          }
        }
      }
      return completed;
    }
  }

  private static class KeepsTheToken extends PostgresTx {

    KeepsTheToken(Connection connection) {
      super(connection);
    }

    @Override
    public List<InboxRow> takeOver(int limit, Duration lease) throws SQLException {
      List<InboxRow> taken = super.takeOver(limit, lease);
      try (PreparedStatement back =
          connection.prepareStatement(
              """
              UPDATE inbox_message
              SET    fencing_token = fencing_token - 1
              WHERE  scope = ?
              AND    step_key = ?
              """)) {
        for (InboxRow row : taken) {
          back.setString(1, row.scope());
          back.setString(2, row.stepKey());
          back.executeUpdate();
        }
      }
      Set<InboxRow.Id> ids = taken.stream().map(InboxRow::id).collect(Collectors.toSet());
      return List.copyOf(find(ids).values());
    }
  }

  private static class LetsEveryInsertWin extends PostgresTx {

    LetsEveryInsertWin(Connection connection) {
      super(connection);
    }

    @Override
    public Set<InboxRow.Id> insert(Map<InboxRow, Duration> leases) throws SQLException {
      super.insert(leases);
      return leases.keySet().stream().map(InboxRow::id).collect(Collectors.toSet());
    }
  }

  private static class WritesOutcomesAnew extends PostgresTx {

    WritesOutcomesAnew(Connection connection) {
      super(connection);
    }

    @Override
    public Set<InboxRow.Id> complete(Map<InboxRow, String> outcomes) throws SQLException {
      ObjectMapper json = new ObjectMapper();
      Map<InboxRow, String> anew = new HashMap<>();
      for (var outcome : outcomes.entrySet()) {
        try {
          anew.put(outcome.getKey(), json.readTree(outcome.getValue()).toString());
        } catch (JsonProcessingException e) {
          throw new IllegalStateException(e);
        }
      }
      return super.complete(anew);
    }
  }

  private interface Law {
    void holdsFor(InboxLaws laws) throws Exception;
  }

  private static void assertFails(Function<Connection, PostgresTx> broken, Law law) {
    InboxLaws laws =
        new PostgresInboxTest() {
          @Override
          protected Tx begin() throws SQLException {
            return broken.apply(DATABASE.begin());
          }
        };
    assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> law.holdsFor(laws));
  }
}
