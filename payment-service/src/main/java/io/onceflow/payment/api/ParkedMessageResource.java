package io.onceflow.payment.api;

import io.onceflow.inbox.ParkedMessage;
import io.onceflow.inbox.ParkedMessages;
import jakarta.annotation.security.RolesAllowed;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.sql.SQLException;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Shows operators what could not be handled (rule 13). */
@Path("/parked-messages")
@RolesAllowed("operator")
@Tag(name = "Parked messages")
@Produces(MediaType.APPLICATION_JSON)
public class ParkedMessageResource {

  /** As many as somebody can look through, and few enough to be read in one go. */
  private static final int LARGEST_PAGE = 500;

  private final ParkedMessages parked;

  ParkedMessageResource(ParkedMessages parked) {
    this.parked = parked;
  }

  /** The newest first. */
  @GET
  @Operation(summary = "List parked messages, newest first")
  public List<ParkedMessage> newest(
      @QueryParam("limit") @DefaultValue("100") @Min(1) @Max(LARGEST_PAGE) int limit)
      throws SQLException {
    return parked.newest(limit);
  }
}
