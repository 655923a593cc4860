package io.onceflow.test.races;

import static io.onceflow.test.races.RacedCommand.command;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.onceflow.message.Command;
import io.onceflow.participant.Answer;
import io.onceflow.participant.CallsOut;
import io.onceflow.participant.Handles;
import io.onceflow.test.TestPostgres;
import io.onceflow.test.races.RacedScenario.Step;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/**
 * Handlers that come to no end fail their race with a sentence. Before, each case logged attempts
 * for twenty seconds, and left them to the next.
 */
class EndlessRacesTest {

  private static final DataSource DATABASE = TestPostgres.database("endless_races");

  private static final Consumer<UUID> NOTHING = subject -> {};

  @Command("report.write")
  record WriteReport(UUID id) {}

  /** Answers each command in the same way. */
  static class Reporter {

    private final boolean isPending;

    Reporter(boolean isPending) {
      this.isPending = isPending;
    }

    @Handles
    @CallsOut
    Answer write(WriteReport command) {
      if (isPending) {
        return Answer.pending(Duration.ofMinutes(10));
      }
      throw new IllegalStateException("the printer is out of paper");
    }
  }

  @Test
  void aPendingAnswerThatTheTestDoesNotExpectIsTold() throws SQLException {
    assertFails(
        command(WriteReport.class, WriteReport::new),
        true,
        "WriteReport is answered as pending, and its line in commands() does not say what ends"
            + " that");
  }

  @Test
  void aPendingAnswerThatItsEventDoesNotEndIsTold() throws SQLException {
    assertFails(
        command(WriteReport.class, WriteReport::new).pendingUntil(NOTHING),
        true,
        "is still answered as pending after its event was told 50 times");
  }

  @Test
  void aHandlerThatFailsEachTimeIsTold() throws SQLException {
    assertFails(
        command(WriteReport.class, WriteReport::new),
        false,
        "the handler of WriteReport has failed 10 times",
        "the printer is out of paper");
  }

  private static void assertFails(RacedCommand command, boolean isPending, String... saying)
      throws SQLException {
    RacedService service = RacedParticipants.on(DATABASE).of(new Reporter(isPending));
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(
            () -> {
              try (Run run = new Run(service, subject -> List.of(), command)) {
                run.take(new Step("tell", List.of("it"), "any"));
              }
            })
        .satisfies(failure -> assertThat(failure.getMessage()).contains(saying));
    assertThat(started()).as("steps that are left to the next race").isZero();
  }

  private static long started() throws SQLException {
    String query = "SELECT count(*) FROM inbox_message WHERE status = 'STARTED'";
    try (Connection connection = DATABASE.getConnection();
        PreparedStatement count = connection.prepareStatement(query);
        ResultSet row = count.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }
}
