package io.onceflow.inbox;

import com.rabbitmq.client.Channel;
import io.onceflow.rabbitmq.internal.BrokerConnection;
import jakarta.ws.rs.core.Response;
import org.jspecify.annotations.Nullable;

/** Classes that break the house's rules, each in one way; never used. */
public final class PlantedOffenders {

  private PlantedOffenders() {}

  static final class KnowsTheTransport {
    @Nullable BrokerConnection broker;
  }

  static final class KnowsTheClient {
    @Nullable Channel channel;
  }

  static final class KnowsHttp {
    @Nullable Response response;
  }

  /** For the rules' test, which lives in another package. */
  public static Class<?> knowsTheTransport() {
    return KnowsTheTransport.class;
  }

  /** Likewise. */
  public static Class<?> knowsTheClient() {
    return KnowsTheClient.class;
  }

  /** Likewise. */
  public static Class<?> knowsHttp() {
    return KnowsHttp.class;
  }
}
