package io.onceflow.order.api;

import io.onceflow.web.ExplainedProblem;
import jakarta.annotation.security.PermitAll;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.stream.Stream;
import org.eclipse.microprofile.openapi.annotations.Operation;

/**
 * The refusals that are this service's own, and the pages that explain them; the guard explains its
 * own. They are answered without a token.
 */
@Path(ExplainedProblem.PATH + "{type: too-late|order-not-confirmed|return-under-way}")
public class OrderProblemPages {

  static final ExplainedProblem TOO_LATE =
      new ExplainedProblem(
          "too-late",
          "It is too late to cancel this order",
          "The order is past its pivot.",
          "Nothing has changed. Read the order for its state.");

  static final ExplainedProblem ORDER_NOT_CONFIRMED =
      new ExplainedProblem(
          "order-not-confirmed",
          "Only a confirmed order can be returned",
          "The order is still being placed, was cancelled, or was returned before.",
          "Nothing has changed. Read the order for its state.");

  static final ExplainedProblem RETURN_UNDER_WAY =
      new ExplainedProblem(
          "return-under-way",
          "The order is being returned already",
          "A return of the order was requested before, under another key, and has not ended.",
          "Nothing has changed: that return continues. Read the order's return for its state.");

  /** What the type means, and what took effect. */
  @GET
  @PermitAll
  @Produces(MediaType.TEXT_PLAIN)
  @Operation(hidden = true)
  public String explain(@PathParam("type") String type) {
    return Stream.of(TOO_LATE, ORDER_NOT_CONFIRMED, RETURN_UNDER_WAY)
        .filter(problem -> problem.slug().equals(type))
        .map(ExplainedProblem::page)
        .findAny()
        .orElseThrow(() -> new NotFoundException("There is no problem type " + type));
  }
}
