package com.example.giftcards;

import static io.onceflow.idempotency.Idempotent.Mode.LEASED;

import io.onceflow.idempotency.GuardedRequest;
import io.onceflow.idempotency.Idempotent;
import io.onceflow.idempotency.Lease;
import io.quarkus.security.Authenticated;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** Puts more on a card, at the expense of its owner's account. */
@Path("/gift-cards/{code}/top-ups")
@Authenticated
public class TopUpResource {

  private final GiftCards cards;
  private final Bank bank;
  private final ShopScope shop;
  private final GuardedRequest guarded;

  TopUpResource(GiftCards cards, Bank bank, ShopScope shop, GuardedRequest guarded) {
    this.cards = cards;
    this.bank = bank;
    this.shop = shop;
    this.guarded = guarded;
  }

  /**
   * Charges the account, then tops the card up. Leased, since it calls out: the claim is committed
   * first, no transaction is open during the call, and {@code complete} writes the card and the
   * answer in one transaction, which commits only while the claim is still ours.
   *
   * <p>Should this process die after the call, a repeat of the request calls the bank again. The
   * bank has the same key, so it charges nothing and answers as before.
   */
  @POST
  @Idempotent(operation = "top-up-card", mode = LEASED)
  public Response topUp(String code, Amount amount) throws Exception {
    String owner = shop.scope();
    Lease lease = guarded.lease();
    cards.find(owner, code).orElseThrow(NotFoundException::new);
    bank.charge(bankKey(lease), amount);
    return lease.complete(
        () -> Response.ok(cards.topUp(owner, code, amount).orElseThrow()).build());
  }

  /** The bank knows no shops, so its key holds the shop too, in a form that fits any limit. */
  private static String bankKey(Lease ours) {
    String both = "top-up/" + ours.scope() + "/" + ours.key().value();
    return UUID.nameUUIDFromBytes(both.getBytes(StandardCharsets.UTF_8)).toString();
  }
}
