package io.onceflow.audit.internal;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.inbox.internal.audit.AuditFilter;
import io.onceflow.inbox.internal.audit.AuditReads;
import io.onceflow.inbox.internal.audit.AuditRecord;
import io.onceflow.inbox.internal.audit.AuditVerification;
import io.quarkus.security.identity.SecurityIdentity;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** What operators did in this service. */
@Path("/operator-audit")
@Tag(name = "Audit log")
public class AuditResource {

  private static final String NDJSON = "application/x-ndjson";

  private final AuditReads audit;
  private final ObjectMapper json;
  private final SecurityIdentity caller;

  AuditResource(AuditReads audit, ObjectMapper json, SecurityIdentity caller) {
    this.audit = audit;
    this.json = json;
    this.caller = caller;
  }

  /** A page of the entries that the query chooses. */
  @GET
  @RolesAllowed({"viewer", "operator"})
  @Produces(MediaType.APPLICATION_JSON)
  @Operation(
      summary = "List what operators did, newest first",
      description = "Reasons and details are shown to operators only.")
  public AuditPage list(@BeanParam AuditChoice choice) throws SQLException {
    AuditFilter filter = choice.filter();
    return AuditPage.of(audit.newest(filter), choice.limit(), !caller.hasRole("operator"));
  }

  /** All entries; the response is written while they are read, a page at a time. */
  @GET
  @Path("/export")
  @RolesAllowed("operator")
  @Produces(NDJSON)
  @Operation(
      summary = "Export the audit log, oldest first",
      description = "One entry per line, with all the fields that its hash is made of.")
  @APIResponse(responseCode = "200", description = "One JSON object per line")
  public Response export() {
    StreamingOutput lines = output -> write(output);
    return Response.ok(lines, NDJSON)
        .header("Content-Disposition", "attachment; filename=\"operator-audit.ndjson\"")
        .build();
  }

  private void write(OutputStream output) throws IOException {
    try {
      audit.all(entry -> writeLine(output, entry));
    } catch (SQLException e) {
      // The status is sent: the connection is closed, so that the export shows as cut off.
      throw new IOException("the audit log cannot be read on", e);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private boolean writeLine(OutputStream output, AuditRecord entry) {
    try {
      output.write(json.writeValueAsBytes(entry));
      output.write('\n');
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads the whole log and checks its chain. */
  @GET
  @Path("/verification")
  @RolesAllowed({"viewer", "operator"})
  @Produces(MediaType.APPLICATION_JSON)
  @Operation(
      summary = "Check that no entry was changed or removed",
      description =
          "Every entry must follow the one before it and have the hash of its own fields. That none"
              + " was cut off at the end shows where lastHash is compared with one kept elsewhere.")
  public AuditVerification verify() throws SQLException {
    return audit.verify();
  }
}
