package io.onceflow.service.http;

import io.micrometer.core.instrument.config.MeterFilter;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** The last bound of the HTTP server's time series, should a tag get by {@link HttpTags}. */
final class MeterLimit {

  /** Several times the resources of a service. */
  private static final int MOST_PATHS = 200;

  private MeterLimit() {}

  @Produces
  @Singleton
  static MeterFilter mostPaths() {
    return MeterFilter.maximumAllowableTags(
        "http.server.requests", "uri", MOST_PATHS, MeterFilter.deny());
  }
}
