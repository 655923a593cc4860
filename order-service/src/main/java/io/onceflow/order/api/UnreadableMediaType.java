package io.onceflow.order.api;

import jakarta.ws.rs.NotSupportedException;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.ext.Provider;

/**
 * Refuses a request whose Content-Type is none, or names a charset other than UTF-8. Whoever looks
 * for the method that consumes it would fail on the one, and read other characters than were meant
 * of the other.
 */
@Provider
@PreMatching
public class UnreadableMediaType implements ContainerRequestFilter {

  @Override
  public void filter(ContainerRequestContext request) {
    try {
      MediaType type = request.getMediaType();
      if (type != null && isInAnotherCharset(type)) {
        throw new NotSupportedException("A body is JSON in UTF-8.");
      }
    } catch (IllegalArgumentException e) {
      throw new NotSupportedException("Content-Type is not a media type.", e);
    }
  }

  private static boolean isInAnotherCharset(MediaType type) {
    String charset = type.getParameters().getOrDefault(MediaType.CHARSET_PARAMETER, "utf-8");
    return !charset.equalsIgnoreCase("utf-8");
  }
}
