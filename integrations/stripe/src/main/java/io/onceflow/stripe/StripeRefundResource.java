package io.onceflow.stripe;

import io.onceflow.core.internal.Printable;
import io.onceflow.saga.internal.operators.CallingOperator;
import io.onceflow.saga.internal.operators.Roles;
import io.onceflow.stripe.StripeRefundTable.MoneyWith;
import io.onceflow.stripe.StripeRefundTable.Stored;
import io.quarkus.security.identity.SecurityIdentity;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.inject.Instance;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import jakarta.ws.rs.ClientErrorException;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.ServiceUnavailableException;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response.Status;
import java.sql.SQLException;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Shows operators the refunds that Stripe did not carry out, and lets them retry or end them. */
@Path("/stripe/refunds")
@Tag(name = "Payments")
@Produces(MediaType.APPLICATION_JSON)
public class StripeRefundResource {

  private static final long RETRY_SECONDS = 5;

  private final StripeRefundTable table;
  private final Instance<StripePayments> payments;
  private final SecurityIdentity caller;

  StripeRefundResource(
      StripeRefundTable table, Instance<StripePayments> payments, SecurityIdentity caller) {
    this.table = table;
    this.payments = payments;
    this.caller = caller;
  }

  /**
   * A refund.
   *
   * @param key of the charge's refund
   * @param reference what was paid, such as an order's id
   * @param paymentIntent Stripe's id of the charge
   * @param failure Stripe's code; null where nothing failed
   * @param failedRefund Stripe's id of the refund that the bank sent back; null without one
   * @param moneyWith as an operator has resolved it; null where none has
   */
  public record RefundView(
      String key,
      String reference,
      String paymentIntent,
      @Nullable String failure,
      @Nullable String failedRefund,
      @Nullable @Schema(enumeration = {"CUSTOMER", "MERCHANT"}) String moneyWith) {

    static RefundView of(Stored refund) {
      MoneyWith with = refund.moneyWith();
      return new RefundView(
          refund.key(),
          refund.reference(),
          refund.intent(),
          refund.failure(),
          refund.failedRefund(),
          with == null ? null : with.name());
    }
  }

  /**
   * Why a refund is requested again, or ended; kept in the audit log.
   *
   * @param reason in the operator's words, one line
   * @param moneyWith where the money is; of a refund that is resolved
   */
  public record RefundDecision(
      @Schema(examples = "paid by bank transfer, see ticket 4711")
          @NotBlank
          @Size(max = 500, message = "must be at most 500 characters")
          @Pattern(regexp = Printable.VISIBLE, message = "must be one line of visible text")
          String reason,
      @Schema(enumeration = {"CUSTOMER", "MERCHANT"})
          @Pattern(regexp = "CUSTOMER|MERCHANT", message = "must be CUSTOMER or MERCHANT")
          @Nullable String moneyWith) {}

  /**
   * Refunds.
   *
   * @param reference what was paid; without it, all that failed and are not resolved
   */
  @GET
  @RolesAllowed({Roles.VIEWER, Roles.OPERATOR})
  @Operation(summary = "List the refunds of an order, or the first 100 that failed and are open")
  public List<RefundView> list(@QueryParam("reference") @Nullable String reference)
      throws SQLException {
    List<Stored> found =
        reference == null || reference.indexOf('\0') >= 0 ? table.open() : table.of(reference);
    return found.stream().map(RefundView::of).toList();
  }

  /** Asks for a refund again. */
  @POST
  @Path("/{key}/retry")
  @Consumes(MediaType.APPLICATION_JSON)
  @RolesAllowed(Roles.OPERATOR)
  @Operation(summary = "Ask Stripe again for a refund that failed, under a new idempotency key")
  @APIResponse(responseCode = "404", description = "There is no such refund")
  @APIResponse(responseCode = "409", description = "Nothing failed, or it fails again")
  @APIResponse(responseCode = "503", description = "Stripe did not answer; retry it again")
  public RefundView retry(@PathParam("key") String key, @NotNull @Valid RefundDecision decision)
      throws SQLException {
    Stored refund =
        table
            .retry(key, CallingOperator.of(caller).name(), decision.reason())
            .orElseThrow(() -> refused(key, "nothing failed, or it is resolved"));
    try {
      payments.get().refund(refund);
    } catch (StripeRefundFailed e) {
      throw new ClientErrorException(e.getMessage(), Status.CONFLICT, e);
    } catch (StripeUnavailable e) {
      throw new ServiceUnavailableException(
          "Stripe did not answer; the refund is still open, retry it again", RETRY_SECONDS, e);
    }
    return read(key);
  }

  /** Ends a refund that is not made by Stripe. */
  @POST
  @Path("/{key}/resolve")
  @Consumes(MediaType.APPLICATION_JSON)
  @RolesAllowed(Roles.OPERATOR)
  @Operation(
      summary = "End a refund that failed, and say where the money is",
      description =
          "Stripe is not asked for it again. A saga that waits for it is answered at its next"
              + " attempt; retry the saga to have that at once.")
  @APIResponse(responseCode = "404", description = "There is no such refund")
  @APIResponse(
      responseCode = "409",
      description = "Nothing failed, it is resolved, or a request to Stripe may be under way")
  public RefundView resolve(@PathParam("key") String key, @NotNull @Valid RefundDecision decision)
      throws SQLException {
    if (decision.moneyWith() == null) {
      throw new ClientErrorException(
          "moneyWith is missing: CUSTOMER or MERCHANT", Status.BAD_REQUEST);
    }
    return table
        .resolve(
            key,
            MoneyWith.valueOf(decision.moneyWith()),
            CallingOperator.of(caller).name(),
            decision.reason())
        .map(RefundView::of)
        .orElseThrow(
            () ->
                refused(
                    key,
                    "nothing failed, it is resolved, or a request to Stripe may be under way"
                        + " for up to a minute"));
  }

  private RefundView read(String key) throws SQLException {
    return RefundView.of(
        table.find(key).orElseThrow(() -> new NotFoundException("There is no refund " + key)));
  }

  private ClientErrorException refused(String key, String why) throws IllegalStateException {
    try {
      read(key);
    } catch (SQLException e) {
      throw new IllegalStateException("the refund %s cannot be read".formatted(key), e);
    }
    return new ClientErrorException("Refund %s: %s".formatted(key, why), Status.CONFLICT);
  }
}
