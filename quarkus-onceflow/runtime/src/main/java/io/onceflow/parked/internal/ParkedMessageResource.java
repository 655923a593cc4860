package io.onceflow.parked.internal;

import com.fasterxml.jackson.annotation.JsonView;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.core.internal.Printable;
import io.onceflow.inbox.internal.consumer.UnreadablePayload;
import io.onceflow.inbox.internal.parking.ParkedGroup;
import io.onceflow.inbox.internal.parking.ParkedGroups;
import io.onceflow.inbox.internal.parking.ParkedMessage;
import io.onceflow.inbox.internal.parking.ParkedMessages;
import io.onceflow.inbox.internal.parking.RedriveResult;
import io.onceflow.inbox.internal.parking.RedriveService;
import io.onceflow.parked.Redaction;
import io.onceflow.saga.internal.operators.CallingOperator;
import io.onceflow.saga.internal.operators.Roles;
import io.quarkiverse.resteasy.problem.HttpProblem;
import io.quarkus.security.identity.SecurityIdentity;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.inject.Instance;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Lets operators look at what could not be handled, redrive it, or throw it away (rule 13). */
@Path("/parked-messages")
@Tag(name = "Parked messages")
@Produces(MediaType.APPLICATION_JSON)
public class ParkedMessageResource {

  /** An operator can look through so many, and one query reads them. */
  private static final int LARGEST_PAGE = 500;

  private static final String UUID_TEXT = "\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}";

  /** Of a group. */
  public static final String FINGERPRINT = "[0-9a-f]{32}";

  private final ParkedMessages parked;
  private final ParkedGroups groups;
  private final RedriveService redriving;
  private final UnaryOperator<String> redaction;
  private final ObjectMapper json;
  private final SecurityIdentity caller;

  ParkedMessageResource(
      ParkedMessages parked,
      ParkedGroups groups,
      RedriveService redriving,
      Instance<Redaction> redaction,
      ObjectMapper json,
      SecurityIdentity caller) {
    this.parked = parked;
    this.groups = groups;
    this.redriving = redriving;
    this.redaction = redaction.isResolvable() ? redaction.get()::of : UnaryOperator.identity();
    this.json =
        json.copy()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);
    this.caller = caller;
  }

  /**
   * The newest first.
   *
   * @param cursor the id of the last message of the page before; null for the first page
   * @param saga only those that concern it; null for all
   * @param group only those of this fingerprint; null for all
   */
  @GET
  @JsonView(ParkedMessage.Listed.class)
  @RolesAllowed({Roles.VIEWER, Roles.OPERATOR})
  @Operation(
      summary = "List parked messages, newest first",
      description =
          "The next page begins after the last message of this one: give its id as cursor.")
  public List<ParkedMessage> newest(
      @QueryParam("limit") @DefaultValue("100") @Min(1) @Max(LARGEST_PAGE) int limit,
      @QueryParam("cursor") @Pattern(regexp = UUID_TEXT, message = "must be a message's id")
          @Nullable String cursor,
      @Parameter(description = "Only those of this saga.") @QueryParam("saga") @Nullable UUID saga,
      @Parameter(description = "Only those of the group with this fingerprint.")
          @QueryParam("group")
          @Pattern(regexp = FINGERPRINT, message = "must be the fingerprint of a group")
          @Nullable String group)
      throws SQLException {
    List<ParkedMessage> found =
        parked.newest(cursor == null ? null : UUID.fromString(cursor), saga, group, limit);
    return found.stream().map(this::shown).toList();
  }

  private ParkedMessage shown(ParkedMessage message) {
    return isOperator() ? message.with(redaction) : message.withoutContents();
  }

  /** By their causes, the largest group first. */
  @GET
  @Path("/groups")
  @RolesAllowed({Roles.VIEWER, Roles.OPERATOR})
  @Operation(
      summary = "Group the parked messages by their causes, the largest group first",
      description =
          "A cause is a queue, a type, a reason, and what the details have in common: they may"
              + " differ in numbers, ids and quoted values. For viewers `cause` is null.")
  public List<ParkedGroup> groups() throws SQLException {
    return groups.largest().stream()
        .map(it -> isOperator() ? it.with(redaction) : it.withoutContents())
        .toList();
  }

  /** One of them with its headers and its payload, but for what its service hides. */
  @GET
  @Path("/{id}")
  @RolesAllowed({Roles.VIEWER, Roles.OPERATOR})
  @Operation(
      summary = "Read a parked message with its headers and its payload",
      description = "For viewers headers, payload and detail are null.")
  public ParkedMessage read(@PathParam("id") UUID id) throws SQLException {
    return shown(parked.find(id).orElseThrow(() -> notParked(id)));
  }

  /** Changes what a redrive of one of them uses. */
  @PUT
  @Path("/{id}/edit")
  @Consumes(MediaType.APPLICATION_JSON)
  @RolesAllowed(Roles.OPERATOR)
  @Operation(
      summary = "Change the payload of a parked message, to be redriven after that",
      description = "What came is kept beside it.")
  @APIResponse(responseCode = "204", description = "Changed; it is still parked")
  @APIResponse(responseCode = "400", description = "The payload is no JSON, or too long")
  @APIResponse(
      responseCode = "409",
      description =
          "Parts of its payload are hidden from operators, and are missing in the new one")
  public void edit(@PathParam("id") UUID id, @NotNull @Valid ParkedEdit edit) throws SQLException {
    ParkedMessage found = parked.find(id).orElseThrow(() -> notParked(id));
    refuseWhatIsNoJson(found, edit.payload());
    refuseToLoseWhatIsHidden(found, edit.payload());
    if (!parked.edit(id, edit.payload(), CallingOperator.of(caller).name(), edit.reason())) {
      throw notParked(id);
    }
  }

  /** Throws one of them away for good. */
  @DELETE
  @Path("/{id}")
  @RolesAllowed(Roles.OPERATOR)
  @Operation(summary = "Delete a parked message permanently")
  @APIResponse(responseCode = "204", description = "Deleted")
  public void delete(
      @PathParam("id") UUID id,
      @Parameter(description = "Kept in the audit log.")
          @QueryParam("reason")
          @Size(max = 200, message = "must be at most 200 characters")
          @Pattern(regexp = Printable.VISIBLE, message = "must be one line of visible text")
          @Nullable String reason)
      throws SQLException {
    if (!parked.delete(id, CallingOperator.of(caller).name(), reason)) {
      throw notParked(id);
    }
  }

  /** Lets one of them go through the inbox again, if its saga still wants it. */
  @POST
  @Path("/{id}/redrive")
  @RolesAllowed(Roles.OPERATOR)
  @Operation(summary = "Redrive a parked message, unless its saga does not wait for it any more")
  @APIResponse(responseCode = "200", description = "Handled, and not parked any more")
  @APIResponse(
      responseCode = "409",
      description =
          "Still parked: its saga has ended, it still cannot be handled, it is too old, it was"
              + " edited meanwhile, or another operator than its editor has to redrive it")
  @APIResponse(responseCode = "503", description = "Still parked: its saga could not be asked")
  public Redriven redrive(@PathParam("id") UUID id) throws SQLException {
    RedriveResult redrive = redriving.redrive(id, CallingOperator.of(caller)).with(redaction);
    return switch (redrive.outcome()) {
      case REDRIVEN -> new Redriven(redrive.outcome().word());
      case NOT_PARKED -> throw notParked(id);
      default -> throw RedriveProblem.of(redrive);
    };
  }

  /**
   * A redrive that went well.
   *
   * @param outcome {@code redriven}
   */
  public record Redriven(String outcome) {}

  private boolean isOperator() {
    return Roles.seesPersonalData(caller);
  }

  /** A message without a type may be anything. */
  private void refuseWhatIsNoJson(ParkedMessage message, String payload) {
    if (message.type() == null) {
      return;
    }
    try {
      if (json.readTree(payload).isMissingNode()) {
        throw new BadRequestException("payload is empty; a %s is JSON".formatted(message.type()));
      }
    } catch (JsonProcessingException e) {
      throw new BadRequestException(
          "payload is not what a %s is: %s".formatted(message.type(), UnreadablePayload.why(e)), e);
    }
  }

  /** An operator has seen the rest of it only, and would send it without what is hidden. */
  private void refuseToLoseWhatIsHidden(ParkedMessage message, String payload) {
    String stored = String.valueOf(message.payload());
    if (!redaction.apply(stored).equals(stored) && redaction.apply(payload).equals(payload)) {
      throw HttpProblem.builder()
          .withTitle("Parts of the payload are hidden")
          .withStatus(Response.Status.CONFLICT)
          .withDetail(
              "This service hides parts of message %s, and the new payload does not have them. Give them in full, or delete the message."
                  .formatted(message.id()))
          .build();
    }
  }

  private static NotFoundException notParked(UUID id) {
    return new NotFoundException("No message " + id + " is parked here.");
  }
}
