package io.onceflow.quarkus.signals;

import io.onceflow.message.Command;
import io.onceflow.participant.Handles;
import io.onceflow.quarkus.signals.Tenancy.TenancySigned;
import io.onceflow.saga.Sagas;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.UUID;

/** Reports to the saga what another application sends, in the transaction that takes it. */
@ApplicationScoped
class ContractEvents {

  private final Sagas sagas;

  ContractEvents(Sagas sagas) {
    this.sagas = sagas;
  }

  @Command("contract.signed")
  record ContractWasSigned(UUID tenancyId, UUID contractId, String by) {}

  @Handles
  void signed(ContractWasSigned message) {
    sagas.signal(
        LetFlat.class,
        message.tenancyId(),
        "contract-signed",
        new TenancySigned(message.by()),
        message.contractId().toString());
  }
}
