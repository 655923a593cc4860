package io.onceflow.saga.internal.operators;

import io.onceflow.saga.internal.runtime.DeferredReplies;
import io.onceflow.saga.internal.runtime.DeferredReply;
import jakarta.annotation.security.RolesAllowed;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Lists replies that wait for a replica that knows them, for operators. */
@Path("/deferred-replies")
@RolesAllowed("operator")
@Tag(name = "Deferred replies")
@Produces(MediaType.APPLICATION_JSON)
public class DeferredReplyResource {

  private static final int LARGEST_PAGE = 500;

  private static final String UUID_TEXT = "\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}";

  private final DeferredReplies deferred;

  DeferredReplyResource(DeferredReplies deferred) {
    this.deferred = deferred;
  }

  /**
   * The newest first.
   *
   * @param cursor the id of the last reply of the page before; null for the first page
   */
  @GET
  @Operation(
      summary = "List deferred replies, newest first",
      description = "The next page begins after the last reply of this one: give its id as cursor.")
  public List<DeferredReply> newest(
      @QueryParam("limit") @DefaultValue("100") @Min(1) @Max(LARGEST_PAGE) int limit,
      @QueryParam("cursor") @Pattern(regexp = UUID_TEXT, message = "must be a reply's id")
          @Nullable String cursor)
      throws SQLException {
    return deferred.newest(cursor == null ? null : UUID.fromString(cursor), limit);
  }
}
