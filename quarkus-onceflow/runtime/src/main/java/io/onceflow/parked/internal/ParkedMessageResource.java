package io.onceflow.parked.internal;

import io.onceflow.inbox.internal.parking.ParkedMessage;
import io.onceflow.inbox.internal.parking.ParkedMessageDetail;
import io.onceflow.inbox.internal.parking.ParkedMessages;
import io.onceflow.inbox.internal.parking.RedriveService;
import io.onceflow.parked.Redaction;
import io.onceflow.saga.internal.operators.CallingOperator;
import io.quarkus.security.identity.SecurityIdentity;
import jakarta.annotation.security.RolesAllowed;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Lets operators look at what could not be handled, redrive it, or throw it away (rule 13). */
@Path("/parked-messages")
@RolesAllowed("operator")
@Tag(name = "Parked messages")
@Produces(MediaType.APPLICATION_JSON)
public class ParkedMessageResource {

  /** An operator can look through so many, and one query reads them. */
  private static final int LARGEST_PAGE = 500;

  private static final String UUID_TEXT = "\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}";

  private final ParkedMessages parked;
  private final RedriveService redriving;
  private final Redaction redaction;
  private final SecurityIdentity caller;

  ParkedMessageResource(
      ParkedMessages parked,
      RedriveService redriving,
      Redaction redaction,
      SecurityIdentity caller) {
    this.parked = parked;
    this.redriving = redriving;
    this.redaction = redaction;
    this.caller = caller;
  }

  /**
   * The newest first.
   *
   * @param cursor the id of the last message of the page before; null for the first page
   */
  @GET
  @Operation(
      summary = "List parked messages, newest first",
      description =
          "The next page begins after the last message of this one: give its id as cursor.")
  public List<ParkedMessage> newest(
      @QueryParam("limit") @DefaultValue("100") @Min(1) @Max(LARGEST_PAGE) int limit,
      @QueryParam("cursor") @Pattern(regexp = UUID_TEXT, message = "must be a message's id")
          @Nullable String cursor)
      throws SQLException {
    return parked.newest(cursor == null ? null : UUID.fromString(cursor), limit);
  }

  /** One of them with its headers and its payload, but for what its service hides. */
  @GET
  @Path("/{id}")
  @Operation(summary = "Read a parked message with its headers and its payload")
  public ParkedMessageDetail read(@PathParam("id") UUID id) throws SQLException {
    return parked.find(id).map(this::redacted).orElseThrow(() -> notParked(id));
  }

  /** Throws one of them away for good. */
  @DELETE
  @Path("/{id}")
  @Operation(summary = "Delete a parked message for good")
  @APIResponse(responseCode = "204", description = "Deleted")
  public void delete(@PathParam("id") UUID id) throws SQLException {
    if (!parked.delete(id, CallingOperator.of(caller).name())) {
      throw notParked(id);
    }
  }

  /** Lets one of them go through the inbox again, if its saga still wants it. */
  @POST
  @Path("/{id}/redrive")
  @Operation(summary = "Redrive a parked message, unless its saga does not want it any more")
  @APIResponse(responseCode = "200", description = "Handled, and not parked any more")
  @APIResponse(
      responseCode = "409",
      description =
          "Still parked: its saga has ended, it still cannot be handled, or it is too old")
  @APIResponse(responseCode = "503", description = "Still parked: its saga could not be asked")
  public Redriven redrive(@PathParam("id") UUID id) throws SQLException {
    return Redriven.of(redriving.redrive(id, CallingOperator.of(caller)), id);
  }

  private ParkedMessageDetail redacted(ParkedMessageDetail message) {
    return new ParkedMessageDetail(
        message.id(),
        message.queue(),
        message.messageId(),
        message.type(),
        message.correlationId(),
        message.replyTo(),
        message.reason(),
        redaction.of(message.detail()),
        message.parkedAt(),
        message.attempts(),
        message.nextAttemptAt(),
        message.headers(),
        redaction.of(message.payload()));
  }

  static NotFoundException notParked(UUID id) {
    return new NotFoundException("No message " + id + " is parked here.");
  }
}
