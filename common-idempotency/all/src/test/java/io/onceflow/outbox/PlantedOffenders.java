package io.onceflow.outbox;

import io.onceflow.inbox.internal.InboxStore;
import jakarta.ws.rs.core.Response;
import org.jspecify.annotations.Nullable;

/**
 * Classes that break the house's rules, each in one way; never used. This one is public without
 * being of the public face.
 */
public final class PlantedOffenders {

  private PlantedOffenders() {}

  static final class KnowsTheInbox {
    @Nullable InboxStore inbox;
  }

  static final class KnowsHttp {
    @Nullable Response response;
  }

  /** For the rules' test, which lives in another package. */
  public static Class<?> knowsTheInbox() {
    return KnowsTheInbox.class;
  }

  /** Likewise. */
  public static Class<?> knowsHttp() {
    return KnowsHttp.class;
  }
}
