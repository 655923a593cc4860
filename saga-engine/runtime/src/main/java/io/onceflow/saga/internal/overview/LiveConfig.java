package io.onceflow.saga.internal.overview;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Limits of the events that tell pages how the sagas are. */
@ConfigMapping(prefix = "onceflow.console.live")
public interface LiveConfig {

  /**
   * How many streams of {@code GET /sagas/events} may be open on each replica, which is how many
   * pages are looked at; one more is answered 503. A stream costs a connection and no thread. What
   * it tells is counted once for all.
   */
  @WithDefault("100")
  int streams();
}
