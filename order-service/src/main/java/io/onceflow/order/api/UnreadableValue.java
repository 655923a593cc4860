package io.onceflow.order.api;

import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import jakarta.annotation.Priority;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;

/**
 * The same as {@link UnreadableBody} for its subclass, in place of the problem extension's own
 * mapper, which tells of our classes, of Jackson's settings, and what the value was.
 */
@Provider
@Priority(1)
public class UnreadableValue implements ExceptionMapper<InvalidFormatException> {

  private final UnreadableBody body;

  UnreadableValue(@Context UriInfo uri) {
    this.body = new UnreadableBody(uri);
  }

  @Override
  public Response toResponse(InvalidFormatException unreadable) {
    return body.toResponse(unreadable);
  }
}
