package io.onceflow.idempotency;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.core.Response;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.eclipse.microprofile.openapi.annotations.Components;
import org.eclipse.microprofile.openapi.annotations.OpenAPIDefinition;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.headers.Header;
import org.eclipse.microprofile.openapi.annotations.info.Info;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;

/** Guarded methods in every place where JAX-RS lets one stand. */
@Path("/described")
@APIResponse(responseCode = "422", description = "Declared for the whole class")
public class DescribedResource {

  private final Part part;

  DescribedResource(Part part) {
    this.part = part;
  }

  @POST
  @Idempotent
  public Response plain() {
    return Response.noContent().build();
  }

  /** A verb that no OpenAPI document can hold. */
  @Merge
  @Idempotent
  public Response merge() {
    return Response.noContent().build();
  }

  /** A verb that JAX-RS does not know. */
  @HttpMethod("MERGE")
  @Retention(RetentionPolicy.RUNTIME)
  public @interface Merge {}

  /** Whose answer is one of the document's components. */
  @POST
  @Path("referring")
  @Idempotent
  @APIResponse(responseCode = "201", ref = "Made")
  public Response referring() {
    return Response.noContent().build();
  }

  /** Not guarded, on the path of one that is. */
  @GET
  public Response unguarded() {
    return Response.noContent().build();
  }

  @PUT
  @Path("{id: [0-9]{1,3}}/{ kind :[^/:]+}/")
  @Idempotent(
      operation = "put-away",
      mode = Idempotent.Mode.LEASED,
      lease = "PT5M",
      retention = "P7D",
      inFlight = Idempotent.InFlight.WAIT,
      refusals = Idempotent.Refusals.KEPT)
  @Operation(description = "Puts it away.")
  @APIResponse(responseCode = "200", description = "Put away")
  @APIResponse(responseCode = "202", description = "Going on")
  @APIResponse(
      responseCode = "409",
      description = "Too late",
      headers = @Header(name = "X-Late-By"),
      content = @Content(mediaType = "text/plain"))
  public Response leased(@PathParam("id") int id, @PathParam("kind") String kind) {
    return Response.noContent().build();
  }

  @DELETE
  @Path("by-hand")
  @Idempotent(mode = Idempotent.Mode.LEASED)
  public Response byHand(@HeaderParam("idempotency-key") String key) {
    return Response.noContent().build();
  }

  /** Brings the component. */
  @OpenAPIDefinition(
      info = @Info(title = "Described", version = "1"),
      components =
          @Components(responses = @APIResponse(name = "Made", description = "Made for all")))
  public static class Definition extends Application {}

  /** A sub-resource. */
  @Path("parts/{part}")
  public Part part() {
    return part;
  }

  /** Found by way of its locator only. */
  @ApplicationScoped
  public static class Part {

    /** Guarded. */
    @POST
    @Path("repair")
    @Idempotent
    public Response repair() {
      return Response.noContent().build();
    }
  }

  /** Declares the path; the implementation is guarded. */
  @Path("/described/contract")
  public interface Contract {

    /** Guarded in its implementation. */
    @POST
    @Path("signature")
    Response sign(String name);
  }

  /** Guards what it inherits. */
  public static class Signing implements Contract {

    @Override
    @Idempotent
    public Response sign(String name) {
      return Response.noContent().build();
    }
  }

  /** Guarded as a whole, but for what its one method says itself. */
  @Path("/described/whole")
  @Idempotent(refusals = Idempotent.Refusals.KEPT)
  public static class Whole {

    /** Guarded. */
    @POST
    public Response one() {
      return Response.noContent().build();
    }

    /** Guarded in its own way. */
    @PUT
    @Idempotent(retention = "PT1H")
    public Response other() {
      return Response.noContent().build();
    }
  }

  /** Two resources inherit its guarded method; it has no path itself. */
  public abstract static class Touchable {

    /** Guarded. */
    @POST
    @Path("touch")
    @Idempotent
    public Response touch() {
      return Response.noContent().build();
    }
  }

  /** The first. */
  @Path("/described/one")
  public static class One extends Touchable {}

  /** The second. */
  @Path("/described/two")
  public static class Two extends Touchable {}
}
