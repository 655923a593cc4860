package io.onceflow.order.api;

import jakarta.annotation.security.PermitAll;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;

/** Explains this service's own problem types; the guard explains its own. Open to everybody. */
@Path(OrderProblem.PATH + "{type: too-late|order-not-confirmed|return-under-way}")
public class OrderProblemPages {

  /** What the type means, and what took effect. */
  @GET
  @PermitAll
  @Produces(MediaType.TEXT_PLAIN)
  @Operation(hidden = true)
  public String explain(@PathParam("type") String type) {
    return OrderProblem.of(type)
        .orElseThrow(() -> new NotFoundException("There is no problem type " + type))
        .page();
  }
}
