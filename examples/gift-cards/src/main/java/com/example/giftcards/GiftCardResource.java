package com.example.giftcards;

import static io.onceflow.idempotency.Idempotent.InFlight.WAIT;

import io.onceflow.idempotency.Idempotent;
import io.quarkus.security.Authenticated;
import jakarta.ws.rs.ClientErrorException;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;
import java.net.URI;
import java.sql.SQLException;

/** Sells cards and takes them in payment. */
@Path("/gift-cards")
@Authenticated
public class GiftCardResource {

  private final GiftCards cards;
  private final ShopScope shop;

  GiftCardResource(GiftCards cards, ShopScope shop) {
    this.cards = cards;
    this.shop = shop;
  }

  /**
   * Sells a card. Transactional, which is the default: the guard starts the transaction, and the
   * card, the claim of the key and the answer commit together or not at all.
   */
  @POST
  @Idempotent(operation = "sell-card")
  public Response sell(Amount amount) throws SQLException {
    GiftCard card = cards.sell(shop.scope(), amount);
    return Response.created(URI.create("/gift-cards/" + card.code())).entity(card).build();
  }

  /**
   * Takes a card in payment. A till that hears nothing asks again within a second, while the first
   * request may still run: its repeat waits for that one, and both get the same answer.
   *
   * <p>A refusal undoes what was written and, by default, is not kept. Once the card is topped up,
   * the same request under the same key goes through.
   */
  @POST
  @Path("/{code}/redemptions")
  @Idempotent(operation = "redeem-card", inFlight = WAIT)
  public Response redeem(String code, Amount amount) throws SQLException {
    GiftCard card =
        cards
            .redeem(shop.scope(), code, amount)
            .orElseThrow(
                () -> new ClientErrorException("no such card, or too little is left on it", 409));
    return Response.ok(card).build();
  }

  /** A card of the caller's shop. Reading needs no guard. */
  @GET
  @Path("/{code}")
  public GiftCard find(String code) throws SQLException {
    return cards.find(shop.scope(), code).orElseThrow(NotFoundException::new);
  }
}
