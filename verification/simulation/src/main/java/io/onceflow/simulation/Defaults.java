package io.onceflow.simulation;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Shared by all runs: production's default configuration, and loggers that are switched off. */
public final class Defaults {

  /** Held, since a logger without a reference loses its level. */
  private static final Logger LOG;

  static {
    // Crashed processes and unavailable databases are intended here and occur very often.
    System.setProperty("org.jboss.logging.provider", "jdk");
    LOG = Logger.getLogger("io.onceflow");
    LOG.setLevel(Level.OFF);
  }

  /** As Quarkus makes it. */
  public static final ObjectMapper JSON =
      new ObjectMapper()
          .findAndRegisterModules()
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  /** Counts nothing. */
  public static final MeterRegistry METRICS = new CompositeMeterRegistry();

  private Defaults() {}

  /** A configuration with all its defaults. */
  public static <T> T config(Class<T> mapping) {
    return new SmallRyeConfigBuilder().withMapping(mapping).build().getConfigMapping(mapping);
  }
}
