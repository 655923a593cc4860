package io.onceflow.test.races;

import io.onceflow.test.races.RacedReply.Story;
import io.onceflow.test.races.RacedReply.Teller;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/** The races of the kit's own events. */
class PointRaces extends MessageRaces {

  private final Points.Settling settling;

  PointRaces(Points.Settling settling) {
    this.settling = settling;
  }

  @Override
  protected RacedService service() {
    return new RacedService() {
      @Override
      public DataSource database() {
        return CoinRaces.database();
      }

      @Override
      public Consumer start(DataSource database, Gates gates) {
        return RacedService.consumer(settling.on(database), database, CoinRaces.JSON);
      }
    };
  }

  @Override
  protected List<RacedReply> messages() {
    return List.of(new RacedReply(Points.ADD, Told::new));
  }

  /** Somebody who has one point already. */
  private record Told(String scope, UUID subject) implements Story {

    private Told(String scope) {
      this(scope, UUID.randomUUID());
    }

    @Override
    public void tellWhatComesBefore(Teller teller) {
      CoinRaces.DATABASE.update("INSERT INTO charge VALUES (?, 1, '', '')", subject);
    }

    @Override
    public RacedMessage message() {
      return message(Points.ADD, "key");
    }

    @Override
    public String otherPayload() {
      return "{\"another\": true}";
    }

    @Override
    public RacedMessage other() {
      return message(Points.DOUBLE, "other");
    }

    @Override
    public void interfere() throws SQLException {
      Points.doubleByHand(subject);
    }

    @Override
    public String outcome() {
      return String.valueOf(
          CoinRaces.DATABASE.number("SELECT amount FROM charge WHERE subject = ?", subject));
    }

    private RacedMessage message(String type, String key) {
      return new RacedMessage(type, "count", "{}", key + "-" + subject, scope, subject.toString());
    }
  }
}
