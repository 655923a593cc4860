package io.onceflow.idempotency;

import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.math.BigDecimal;
import java.net.URI;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Guarded methods of every kind. Each first writes a row and a message for the thing, in the
 * guard's transaction, and then does what its path says.
 */
@Path("/things")
@Consumes(MediaType.APPLICATION_JSON)
public class ThingsResource {

  private final DataSource database;
  private final Things things;
  private final Runs runs;
  private final GuardedRequest guarded;

  ThingsResource(DataSource database, Things things, Runs runs, GuardedRequest guarded) {
    this.database = database;
    this.things = things;
    this.runs = runs;
    this.guarded = guarded;
  }

  /** What is asked for; only the name matters. */
  record NewThing(String name, @Nullable BigDecimal price) {}

  /** What is answered. */
  record Thing(UUID id, String name, String note, BigDecimal price) {}

  @POST
  @Idempotent
  public Response make(NewThing wanted) {
    UUID id = write(wanted, null);
    runs.passGate(wanted.name());
    return Response.status(201)
        .header(HttpHeaders.LOCATION, "/things/1")
        .header("X-Made-Under", guarded.key())
        .header("X-Two", "first")
        .header("X-Two", "second")
        .entity(new Thing(id, wanted.name(), "žluťoučký \uD83D\uDC34", new BigDecimal("1.50")))
        .build();
  }

  @PUT
  @Idempotent
  public Response replace(NewThing wanted) {
    write(wanted, null);
    return Response.ok().build();
  }

  @POST
  @Path("/{kind}/by-uri")
  @Idempotent
  public Response makeAndSayWhereByUri(@PathParam("kind") String kind, NewThing wanted) {
    write(wanted, null);
    return Response.created(URI.create("/things/1")).build();
  }

  @POST
  @Path("/nothing-to-say")
  @Idempotent
  public Response nothingToSay(NewThing wanted) {
    write(wanted, null);
    return Response.noContent().build();
  }

  @POST
  @Path("/text")
  @Idempotent
  public Response text(NewThing wanted) {
    return Response.ok("made " + write(wanted, null) + " für alle").build();
  }

  @POST
  @Path("/page")
  @Produces("text/html")
  @Idempotent
  public Response page(NewThing wanted) {
    return Response.ok("<p>" + write(wanted, null) + " für alle").build();
  }

  @POST
  @Path("/bytes")
  @Idempotent
  public Response bytes(NewThing wanted) {
    write(wanted, null);
    return Response.ok(new byte[] {0, -1, 13, 10, 127}).build();
  }

  @POST
  @Path("/echo")
  @Idempotent
  public Response echo(byte[] sent) {
    return Response.ok(sent).build();
  }

  @POST
  @Path("/failing")
  @Idempotent
  public Response fail(NewThing wanted) {
    write(wanted, null);
    throw new IllegalStateException("the thing slipped");
  }

  @POST
  @Path("/broken")
  @Idempotent
  public Response breakDown(NewThing wanted) {
    write(wanted, null);
    return Response.status(503).entity(Map.of("sorry", true)).build();
  }

  @POST
  @Path("/refused")
  @Idempotent
  public Response refuse(NewThing wanted) {
    write(wanted, null);
    return Response.status(409).entity(Map.of("reason", "no such thing")).build();
  }

  @POST
  @Path("/refused-by-exception")
  @Idempotent
  public Response refuseByException(NewThing wanted) {
    write(wanted, null);
    throw new BadRequestException("no such thing");
  }

  @POST
  @Path("/doomed-at-commit")
  @Idempotent
  public Response doomed(NewThing wanted) {
    write(wanted, "nobody");
    return Response.ok().build();
  }

  @POST
  @Path("/connection-lost-to-the-method")
  @Idempotent
  public Response loseConnectionAndSaySo(NewThing wanted) throws SQLException {
    write(wanted, null);
    loseConnection();
    return Response.ok().build();
  }

  @POST
  @Path("/connection-lost")
  @Idempotent
  public Response loseConnectionUnnoticed(NewThing wanted) {
    write(wanted, null);
    try {
      loseConnection();
    } catch (SQLException expected) {
      // It was this connection. The guard must notice although the method ignores the failure.
    }
    return Response.ok().build();
  }

  private void loseConnection() throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement kill =
            connection.prepareStatement("SELECT pg_terminate_backend(pg_backend_pid())")) {
      kill.execute();
    }
  }

  private UUID write(NewThing wanted, @Nullable String maker) {
    runs.count(wanted.name());
    return things.make(wanted.name(), maker);
  }
}
