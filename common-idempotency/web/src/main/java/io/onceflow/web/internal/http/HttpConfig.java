package io.onceflow.web.internal.http;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Optional;

/** Bounds of requests to the HTTP server before they reach a resource. */
@ConfigMapping(prefix = "onceflow.http")
public interface HttpConfig {

  /** How long the first line and the headers of a request may take, from their first byte. */
  @WithDefault("10s")
  Duration headerTimeout();

  /** What bodies may cost while they are received and held. */
  Body body();

  /** Bodies of requests. */
  interface Body {

    /**
     * Whether a body is received completely before the request is passed on, and bounded on the way
     * by the settings below. {@code false} is for an application that reads bodies as streams, such
     * as gRPC or large uploads: then only the limits of Quarkus apply.
     */
    @WithDefault("true")
    boolean received();

    /** Bytes per second that a sender has to reach, on average since the headers were read. */
    @WithDefault("240")
    int minRate();

    /** How long a body may take before its rate counts. */
    @WithDefault("5s")
    Duration grace();

    /**
     * Bodies that are received from one address at the same time. One more ends the oldest of them
     * with 408. Behind a proxy the address is the proxy's for all callers, unless
     * quarkus.http.proxy.proxy-address-forwarding is set.
     */
    @WithDefault("512")
    int mostPerAddress();

    /**
     * Bytes of bodies that are held at the same time, from the first byte until the answer is sent.
     * Beyond it the oldest body that is still incomplete is ended with 408; if all are complete the
     * new one is refused with 503. Default: an eighth of the heap.
     */
    Optional<MemorySize> mostBytes();
  }
}
