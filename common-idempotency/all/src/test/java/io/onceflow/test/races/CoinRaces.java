package io.onceflow.test.races;

import static io.onceflow.test.races.RacedCommand.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.onceflow.idempotency.testing.TestDatabase;
import io.onceflow.inbox.internal.participant.CommandHandler;
import java.util.List;
import java.util.Set;
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

  CoinRaces(Bank bank, Set<Slot.Lack> lacks) {
    this.bank = bank;
    this.service = RacedService.of(database(), JSON, new Coin.Table(), handlers(bank, lacks));
  }

  static DataSource database() {
    return DATABASE.source();
  }

  static List<CommandHandler<?, Coin>> handlers(Bank bank, Set<Slot.Lack> lacks) {
    return List.of(new Slot.PuttingIn(bank), new Slot.GivingBack(bank, lacks));
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
