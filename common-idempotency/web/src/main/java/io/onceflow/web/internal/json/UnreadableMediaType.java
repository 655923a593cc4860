package io.onceflow.web.internal.json;

import jakarta.ws.rs.NotSupportedException;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.ext.Provider;
import java.util.Locale;

/**
 * Answers 415 to a Content-Type that is not a media type, or is JSON in a charset other than UTF-8.
 * The first would make the search for the resource method fail with 500; the second would be read
 * as other characters than were sent.
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
