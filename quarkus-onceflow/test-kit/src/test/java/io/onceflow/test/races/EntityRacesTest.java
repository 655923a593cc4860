package io.onceflow.test.races;

import static io.onceflow.test.races.RacedCommand.command;

import io.onceflow.message.Command;
import io.onceflow.message.Done;
import io.onceflow.message.Undoes;
import io.onceflow.participant.Answer;
import io.onceflow.participant.Handles;
import io.onceflow.test.TestPostgres;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
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

/**
 * A participant that decides on a JPA entity, and saves one whose id is a number, is fenced like
 * one that writes its rows by SQL.
 */
class EntityRacesTest extends CommandRaces {

  private static final DataSource DATABASE = TestPostgres.database("account_races", "db/accounts");

  private static final RacedService LOYALTY =
      RacedParticipants.on(DATABASE).withEntities(Account.class, Entry.class).of(new Loyalty());

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

  /** One line of an account's statement; its id is a number. */
  @Entity(name = "account_entry")
  static class Entry {
    @Id @GeneratedValue Long id;

    @Column(name = "account_id")
    UUID accountId;

    String word = "";

    static Entry of(UUID accountId, String word) {
      Entry entry = new Entry();
      entry.accountId = accountId;
      entry.word = word;
      return entry;
    }
  }

  /** A traveller's points. */
  @Entity(name = "account")
  static class Account {
    @Id UUID id;
    int points;
  }

  /** Changes accounts in place. */
  static class Loyalty {

    @Handles
    Answer award(AwardPoints command, Optional<Account> account) {
      Account awarded = account.orElseGet(Account::new);
      awarded.id = command.accountId();
      awarded.points += 10;
      return Answer.done(new PointsAwarded(awarded.id, awarded.points))
          .save(awarded)
          .save(Entry.of(awarded.id, "AWARDED"));
    }

    @Handles
    Answer revoke(RevokePoints command, Optional<Account> account) {
      account.orElseThrow().points -= 10;
      return Answer.done().save(Entry.of(command.accountId(), "REVOKED"));
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

  /** One entry that is made twice is there twice. */
  @Override
  protected Ledger ledger() {
    return account -> {
      String read = "SELECT id, word FROM account_entry WHERE account_id = ? ORDER BY id";
      try (Connection connection = DATABASE.getConnection();
          PreparedStatement select = connection.prepareStatement(read)) {
        select.setObject(1, account);
        List<Ledger.Entry> entries = new ArrayList<>();
        try (ResultSet rows = select.executeQuery()) {
          while (rows.next()) {
            entries.add(new Ledger.Entry(rows.getString(1), rows.getString(2)));
          }
        }
        return entries;
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    };
  }
}
