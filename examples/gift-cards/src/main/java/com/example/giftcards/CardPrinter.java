package com.example.giftcards;

import io.onceflow.idempotency.AbandonedClaimResolver;
import io.onceflow.idempotency.AbandonedClaimResolver.AbandonedClaim;
import io.onceflow.idempotency.Lease;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.Response;
import java.net.URI;
import java.util.Optional;
import java.util.UUID;

/** Prints batches, and continues with those whose process died. */
@ApplicationScoped
class CardPrinter implements AbandonedClaimResolver {

  static final String OPERATION = "order-cards";

  /** So few that each transaction is over in milliseconds; what a crash loses is at most these. */
  private static final int AT_A_TIME = 100;

  private final CardBatches batches;

  CardPrinter(CardBatches batches) {
    this.batches = batches;
  }

  /** Prints what is missing, some cards to a transaction, each under the lease. */
  Response print(UUID batch, Lease lease) throws Exception {
    int printed;
    do {
      printed = lease.write(() -> batches.print(batch, AT_A_TIME));
    } while (printed > 0);
    return lease.complete(
        () ->
            Response.created(URI.create("/card-batches/" + batch))
                .entity(batches.find(lease.scope(), lease.key(), lease.fingerprint()).orElseThrow())
                .build());
  }

  @Override
  public String operation() {
    return OPERATION;
  }

  /** Asked about claims whose owner died: the table knows how far it came. */
  @Override
  public Resolution resolve(AbandonedClaim claim) throws Exception {
    Optional<CardBatch> begun = batches.find(claim.scope(), claim.key(), claim.fingerprint());
    return begun.isPresent()
        ? new Resolution.Resume(lease -> print(begun.get().id(), lease))
        : new Resolution.Release();
  }
}
