package io.onceflow.order.api;

import jakarta.ws.rs.NotSupportedException;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.ext.Provider;

/**
 * Refuses a request whose Content-Type is none. Whoever looks for the method that consumes it would
 * fail on it, and the caller would be told that we have.
 */
@Provider
@PreMatching
public class UnreadableMediaType implements ContainerRequestFilter {

  @Override
  public void filter(ContainerRequestContext request) {
    try {
      request.getMediaType();
    } catch (IllegalArgumentException e) {
      throw new NotSupportedException("Content-Type is not a media type.", e);
    }
  }
}
