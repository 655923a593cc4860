package io.onceflow.service.json;

import jakarta.ws.rs.NotSupportedException;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.ext.Provider;
import java.util.Locale;

/**
 * Refuses a request whose Content-Type is none, or is JSON in a charset other than UTF-8. Whoever
 * looks for the method that consumes it would fail on the one, and read other characters than were
 * meant of the other.
 */
@Provider
@PreMatching
public class UnreadableMediaType implements ContainerRequestFilter {

  @Override
  public void filter(ContainerRequestContext request) {
    try {
      MediaType type = request.getMediaType();
      if (type != null && isJsonInAnotherCharset(type)) {
        throw new NotSupportedException("A body is JSON in UTF-8.");
      }
    } catch (IllegalArgumentException e) {
      throw new NotSupportedException("Content-Type is not a media type.", e);
    }
  }

  /** Any other type matters only to a request with a body, and is refused where that is read. */
  private static boolean isJsonInAnotherCharset(MediaType type) {
    String charset = type.getParameters().getOrDefault(MediaType.CHARSET_PARAMETER, "utf-8");
    return type.getSubtype().toLowerCase(Locale.ROOT).endsWith("json")
        && !charset.equalsIgnoreCase("utf-8");
  }
}
