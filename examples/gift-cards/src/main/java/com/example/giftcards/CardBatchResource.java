package com.example.giftcards;

import static io.onceflow.idempotency.Idempotent.Mode.LEASED;

import io.onceflow.idempotency.GuardedRequest;
import io.onceflow.idempotency.Idempotent;
import io.onceflow.idempotency.Lease;
import io.quarkus.security.Authenticated;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;

/** Prints cards for companies. */
@Path("/card-batches")
@Authenticated
public class CardBatchResource {

  private final CardBatches batches;
  private final CardPrinter printer;
  private final GuardedRequest guarded;

  CardBatchResource(CardBatches batches, CardPrinter printer, GuardedRequest guarded) {
    this.batches = batches;
    this.printer = printer;
    this.guarded = guarded;
  }

  /**
   * Orders a batch. Printing takes minutes, so the caller is told 202 at once and finds the outcome
   * at {@code GET /idempotency-keys/<key>}, or by repeating the request.
   *
   * <p>The order is written before that 202: from then on {@link CardPrinter} can take the work up
   * wherever a crash leaves it.
   */
  @POST
  @Idempotent(operation = CardPrinter.OPERATION, mode = LEASED)
  public Response order(NewBatch wanted) throws Exception {
    Lease lease = guarded.lease();
    CardBatch batch =
        lease.write(() -> batches.begin(lease.scope(), lease.key(), lease.fingerprint(), wanted));
    return lease.goOnInBackground(running -> printer.print(batch.id(), running));
  }
}
