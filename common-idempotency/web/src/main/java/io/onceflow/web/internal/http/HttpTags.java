package io.onceflow.web.internal.http;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import io.quarkus.micrometer.runtime.HttpServerMetricsTagsContributor;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Keeps what a caller sends out of the tags of the HTTP server's meters: each value of a tag is a
 * time series that is never freed. Quarkus takes the method as it was sent, and the path of a
 * request that was refused before it reached a resource.
 *
 * <p>A path is a tag if it is the template of a resource that has answered; there are as many as
 * resources.
 */
@Singleton
class HttpTags implements MeterFilter, HttpServerMetricsTagsContributor {

  private static final String METERS = "http.server.";
  private static final String URI = "uri";
  private static final String METHOD = "method";
  private static final String OTHER = "OTHER";
  private static final String UNKNOWN = "UNKNOWN";

  /** Where Quarkus keeps the template of the resource that answered the request. */
  private static final String TEMPLATE = "UrlPathTemplate";

  /** What Quarkus says in the place of a path. */
  private static final List<String> WORDS =
      List.of("NOT_FOUND", "REDIRECTION", "root", "/cors-preflight", UNKNOWN);

  private final Set<String> templates = ConcurrentHashMap.newKeySet();

  /** The templates as they are written at the resources: each is normalized once. */
  private final Set<String> learned = ConcurrentHashMap.newKeySet();

  HttpTags() {
    templates.addAll(WORDS);
  }

  /** Learns the template; it adds no tag. */
  @Override
  public Tags contribute(Context request) {
    String template = request.requestContextLocalData(TEMPLATE);
    if (template != null && learned.add(template)) {
      templates.add(normalized(template));
    }
    return Tags.empty();
  }

  @Override
  public Meter.Id map(Meter.Id id) {
    return id.getName().startsWith(METERS)
        ? id.replaceTags(id.getTags().stream().map(this::bounded).collect(Collectors.toList()))
        : id;
  }

  private Tag bounded(Tag tag) {
    return switch (tag.getKey()) {
      case METHOD -> Methods.isKnown(tag.getValue()) ? tag : Tag.of(METHOD, OTHER);
      case URI -> templates.contains(tag.getValue()) ? tag : Tag.of(URI, UNKNOWN);
      default -> tag;
    };
  }

  /** As Quarkus writes a template: with one slash in front and none at the end. */
  private static String normalized(String template) {
    String path = template.replaceAll("^/+|/+$", "");
    return path.isEmpty() ? "root" : "/" + path;
  }
}
