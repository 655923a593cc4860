package io.onceflow.idempotency;

import static io.onceflow.idempotency.Idempotent.Mode.LEASED;

import io.onceflow.idempotency.ThingsResource.NewThing;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.util.Map;
import java.util.stream.Stream;

/** Methods that make their thing and then an answer that cannot be told again. */
@Path("/unkeepable")
@Consumes(MediaType.APPLICATION_JSON)
public class UnkeepableThings {

  private final Things things;
  private final Runs runs;
  private final GuardedRequest guarded;

  UnkeepableThings(Things things, Runs runs, GuardedRequest guarded) {
    this.things = things;
    this.runs = runs;
    this.guarded = guarded;
  }

  @POST
  @Path("/{how}")
  @Idempotent
  public Response make(@PathParam("how") String how, NewThing wanted) {
    return made(how, wanted);
  }

  @POST
  @Path("/leased/{how}")
  @Idempotent(mode = LEASED)
  public Response makeLeased(@PathParam("how") String how, NewThing wanted) throws Exception {
    return guarded.lease().complete(() -> made(how, wanted));
  }

  private Response made(String how, NewThing wanted) {
    runs.count(wanted.name());
    things.make(wanted.name());
    return switch (how) {
      case "too-long" -> Response.ok("x".repeat(1_048_577)).build();
      case "just-not-too-long" -> Response.ok("x".repeat(1_048_576)).build();
      case "output" -> Response.ok((StreamingOutput) out -> out.write(1)).build();
      case "input" -> Response.ok(new ByteArrayInputStream(new byte[1])).build();
      case "reader" -> Response.ok(new StringReader("x")).build();
      case "stream" -> Response.ok(Stream.of("x")).build();
      case "multi" -> Response.ok(Multi.createFrom().item("x")).build();
      case "uni" -> Response.ok(Uni.createFrom().item("x")).build();
      case "xml" -> Response.ok(Map.of("a", 1), MediaType.APPLICATION_XML).build();
      default -> Response.ok(new Object()).build();
    };
  }
}
