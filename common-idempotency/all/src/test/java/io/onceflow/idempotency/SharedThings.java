package io.onceflow.idempotency;

import io.onceflow.idempotency.GuardedRequest.SharedWrite;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
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
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What {@link ThingsResource} does, by methods that decide and leave the writing to a group. */
@Path("/things-shared")
@Consumes(MediaType.APPLICATION_JSON)
public class SharedThings {

  /** Of the thing whose writer fails. */
  static final String SPOILT = "spoilt";

  /** Of the thing whose first two transactions end as those do that have lost a race. */
  static final String RACED = "raced";

  /** Of the thing whose transactions all end so. */
  static final String ALWAYS_RACED = "always-raced";

  /** Whatever is made while this is closed waits in the writer. */
  static final String WRITER = "the writer";

  private static final int LOST = 2;

  private final DataSource database;
  private final Things things;
  private final Runs runs;
  private final GuardedRequest guarded;
  private final SharedWrite<NewThing> making = this::make;
  private final Map<String, Integer> races = new ConcurrentHashMap<>();
  private final Set<String> outlawed = ConcurrentHashMap.newKeySet();

  SharedThings(DataSource database, Things things, Runs runs, GuardedRequest guarded) {
    this.database = database;
    this.things = things;
    this.runs = runs;
    this.guarded = guarded;
  }

  /** A caller whose {@code /things} are these. */
  static Caller caller(URI server) {
    return new Caller(server, "ada", path -> path.replaceFirst("^/things", "/things-shared"));
  }

  /** From now on no thing of this name is made. */
  void outlaw(String name) {
    outlawed.add(name);
  }

  private record NewThing(UUID id, String name, @Nullable String maker, boolean losesConnection) {}

  @POST
  @Idempotent(mode = Idempotent.Mode.SHARED)
  public Response make(ThingsResource.NewThing wanted) {
    UUID id = decide(wanted, null, false);
    runs.passGate(wanted.name());
    if (outlawed.contains(wanted.name())) {
      throw new BadRequestException("no such thing any more");
    }
    return Response.status(201)
        .header(HttpHeaders.LOCATION, "/things/1")
        .header("X-Made-Under", guarded.key())
        .header("X-Two", "first")
        .header("X-Two", "second")
        .entity(
            new ThingsResource.Thing(
                id, wanted.name(), "žluťoučký \uD83D\uDC34", new BigDecimal("1.50")))
        .build();
  }

  @POST
  @Path("/{kind}/by-uri")
  @Idempotent(mode = Idempotent.Mode.SHARED)
  public Response makeByUri(@PathParam("kind") String kind, ThingsResource.NewThing wanted) {
    decide(wanted, null, false);
    return Response.created(URI.create("/things/1")).build();
  }

  @POST
  @Path("/nothing-to-say")
  @Idempotent(mode = Idempotent.Mode.SHARED)
  public Response nothingToSay(ThingsResource.NewThing wanted) {
    decide(wanted, null, false);
    return Response.noContent().build();
  }

  @POST
  @Path("/text")
  @Idempotent(mode = Idempotent.Mode.SHARED)
  public Response text(ThingsResource.NewThing wanted) {
    return Response.ok("made " + decide(wanted, null, false) + " für alle").build();
  }

  @POST
  @Path("/page")
  @Produces("text/html")
  @Idempotent(mode = Idempotent.Mode.SHARED)
  public Response page(ThingsResource.NewThing wanted) {
    return Response.ok("<p>" + decide(wanted, null, false) + " für alle").build();
  }

  @POST
  @Path("/bytes")
  @Idempotent(mode = Idempotent.Mode.SHARED)
  public Response bytes(ThingsResource.NewThing wanted) {
    decide(wanted, null, false);
    return Response.ok(new byte[] {0, -1, 13, 10, 127}).build();
  }

  @POST
  @Path("/echo")
  @Idempotent(mode = Idempotent.Mode.SHARED)
  public Response echo(byte[] sent) {
    return Response.ok(sent).build();
  }

  @POST
  @Path("/failing")
  @Idempotent(mode = Idempotent.Mode.SHARED)
  public Response fail(ThingsResource.NewThing wanted) {
    decide(wanted, null, false);
    throw new IllegalStateException("the thing slipped");
  }

  @POST
  @Path("/broken")
  @Idempotent(mode = Idempotent.Mode.SHARED)
  public Response breakDown(ThingsResource.NewThing wanted) {
    decide(wanted, null, false);
    return Response.status(503).entity(Map.of("sorry", true)).build();
  }

  @POST
  @Path("/refused")
  @Idempotent(mode = Idempotent.Mode.SHARED)
  public Response refuse(ThingsResource.NewThing wanted) {
    decide(wanted, null, false);
    return Response.status(409).entity(Map.of("reason", "no such thing")).build();
  }

  @POST
  @Path("/refused-and-kept")
  @Idempotent(mode = Idempotent.Mode.SHARED, refusals = Idempotent.Refusals.KEPT)
  public Response refuseForGood(ThingsResource.NewThing wanted) {
    decide(wanted, null, false);
    throw new BadRequestException(Response.status(400).entity("never").build());
  }

  @POST
  @Path("/refused-by-exception")
  @Idempotent(mode = Idempotent.Mode.SHARED)
  public Response refuseByException(ThingsResource.NewThing wanted) {
    decide(wanted, null, false);
    throw new BadRequestException("no such thing");
  }

  @POST
  @Path("/doomed-at-commit")
  @Idempotent(mode = Idempotent.Mode.SHARED)
  public Response doomed(ThingsResource.NewThing wanted) {
    decide(wanted, "nobody", false);
    return Response.ok().build();
  }

  @POST
  @Path("/connection-lost")
  @Idempotent(mode = Idempotent.Mode.SHARED)
  public Response loseConnection(ThingsResource.NewThing wanted) {
    decide(wanted, null, true);
    return Response.ok().build();
  }

  /** Reads before it decides, as a method may, and loses its connection there. */
  @POST
  @Path("/connection-lost-to-the-method")
  @Idempotent(mode = Idempotent.Mode.SHARED)
  public Response loseConnectionAndSaySo(ThingsResource.NewThing wanted) throws SQLException {
    decide(wanted, null, false);
    killConnection();
    return Response.ok().build();
  }

  /** Writes are handed over only where they are awaited. */
  @POST
  @Path("/not-shared")
  @Idempotent
  public Response notShared(ThingsResource.NewThing wanted) {
    decide(wanted, null, false);
    return Response.ok().build();
  }

  private UUID decide(
      ThingsResource.NewThing wanted, @Nullable String maker, boolean losesConnection) {
    runs.count(wanted.name());
    UUID id = UUID.randomUUID();
    guarded.write(making, new NewThing(id, wanted.name(), maker, losesConnection));
    return id;
  }

  private void make(List<NewThing> decided) {
    runs.count(WRITER);
    runs.passGate(WRITER);
    for (NewThing thing : decided) {
      if (thing.name.startsWith(SPOILT)) {
        throw new IllegalStateException("the thing slipped");
      }
      race(thing.name);
      things.make(thing.id, thing.name, thing.maker);
    }
    if (decided.stream().anyMatch(NewThing::losesConnection)) {
      loseConnection();
    }
  }

  private void race(String name) {
    boolean isLost =
        name.startsWith(ALWAYS_RACED)
            || name.startsWith(RACED) && races.merge(name, 1, Integer::sum) <= LOST;
    if (isLost) {
      try (Connection connection = database.getConnection();
          Statement raise = connection.createStatement()) {
        raise.execute("DO $$ BEGIN RAISE EXCEPTION 'lost' USING ERRCODE = '40001'; END $$");
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private void loseConnection() {
    try {
      killConnection();
    } catch (SQLException expected) {
      // It was this connection. The guard must notice although the method ignores the failure.
    }
  }

  private void killConnection() throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement kill =
            connection.prepareStatement("SELECT pg_terminate_backend(pg_backend_pid())")) {
      kill.execute();
    }
  }
}
