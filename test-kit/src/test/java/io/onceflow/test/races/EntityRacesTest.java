package io.onceflow.test.races;

import static io.onceflow.test.races.RacedCommand.command;

import io.onceflow.message.Command;
import io.onceflow.message.Done;
import io.onceflow.message.Undoes;
import io.onceflow.participant.Answer;
import io.onceflow.participant.Handles;
import io.onceflow.test.TestPostgres;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/** A participant that decides on a JPA entity is fenced like one that writes its rows by SQL. */
class EntityRacesTest extends CommandRaces {

  private static final DataSource DATABASE = TestPostgres.database("account_races", "db/accounts");

  private static final RacedService LOYALTY =
      RacedParticipants.on(DATABASE).withEntities(Account.class).of(new Loyalty());

  private static final RacedCommand REVOKE =
      command(RevokePoints.class, RevokePoints::new).does("REVOKED");

  private static final RacedCommand AWARD =
      command(AwardPoints.class, AwardPoints::new)
          .does("AWARDED")
          .answers("PointsAwarded")
          .mayBeRefused();

  @Command("loyalty.award")
  record AwardPoints(UUID accountId) {}

  @Done(AwardPoints.class)
  record PointsAwarded(UUID accountId, int points) {}

  @Undoes(AwardPoints.class)
  @Command("loyalty.revoke")
  record RevokePoints(UUID accountId) {}

  /** A traveller's points. */
  @Entity(name = "account")
  static class Account {
    @Id UUID id;
    int points;
    String entries = "";

    void enter(String word, int change) {
      entries += word + " ";
      points += change;
    }
  }

  /** Changes accounts in place. */
  static class Loyalty {

    @Handles
    Answer award(AwardPoints command, Optional<Account> account) {
      Account awarded = account.orElseGet(Account::new);
      awarded.id = command.accountId();
      awarded.enter("AWARDED", 10);
      return Answer.done(new PointsAwarded(awarded.id, awarded.points)).save(awarded);
    }

    @Handles
    void revoke(RevokePoints command, Optional<Account> account) {
      account.ifPresent(revoked -> revoked.enter("REVOKED", -10));
    }
  }

  @Override
  protected RacedService service() {
    return LOYALTY;
  }

  @Override
  protected List<RacedCommand> commands() {
    return List.of(AWARD.undoneBy(REVOKE), REVOKE.after(AWARD));
  }

  /**
   * The entries are in the order in which they were made; one that is made twice is there twice.
   */
  @Override
  protected Ledger ledger() {
    return account -> {
      List<Ledger.Entry> entries = new ArrayList<>();
      for (String word : entriesOf(account)) {
        entries.add(new Ledger.Entry(word + entries.size(), word));
      }
      return entries;
    };
  }

  private static List<String> entriesOf(UUID account) {
    String read = "SELECT entries FROM account WHERE id = ?";
    try (Connection connection = DATABASE.getConnection();
        PreparedStatement select = connection.prepareStatement(read)) {
      select.setObject(1, account);
      try (ResultSet row = select.executeQuery()) {
        return row.next() ? List.of(row.getString("entries").trim().split(" ")) : List.of();
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
