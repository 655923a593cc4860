package io.onceflow.test.races;

import static io.onceflow.test.races.RacedCommand.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.onceflow.idempotency.testing.TestDatabase;
import io.onceflow.participant.internal.CompositeRepository;
import io.onceflow.participant.internal.HandlerMethods;
import java.util.List;
import javax.sql.DataSource;

/** The races of the kit's own handlers. */
class CoinRaces extends CommandRaces {

  static final TestDatabase DATABASE = TestDatabase.inSchema("races");

  static final ObjectMapper JSON = JsonMapper.builder().findAndAddModules().build();

  static final RacedCommand GIVE_BACK =
      command("GiveBack", "{\"subject\": \"%s\"}"::formatted).does("BACK").answers("CoinGivenBack");

  static final RacedCommand PUT_IN =
      command("PutIn", "{\"subject\": \"%s\"}"::formatted)
          .does("IN")
          .answers("CoinTaken")
          .refuses("CoinRefused");

  private final Bank bank;
  private final RacedService service;

  CoinRaces(Bank bank) {
    this(bank, RacedService.of(database(), JSON, handlers(new Slot(bank, true))));
  }

  CoinRaces(Bank bank, RacedService service) {
    this.bank = bank;
    this.service = service;
  }

  static DataSource database() {
    return DATABASE.source();
  }

  static HandlerMethods handlers(Slot slot) {
    return HandlerMethods.of(
        new CompositeRepository().with(Coin.class, new Coin.Table()), JSON, slot);
  }

  @Override
  protected RacedService service() {
    return service;
  }

  @Override
  protected Ledger ledger() {
    return bank;
  }

  @Override
  protected List<RacedCommand> commands() {
    return List.of(PUT_IN.undoneBy(GIVE_BACK), GIVE_BACK.after(PUT_IN));
  }
}
