package io.onceflow.idempotency;

import com.rabbitmq.client.Channel;
import io.onceflow.inbox.internal.InboxStore;
import io.onceflow.outbox.OutboxMessage;
import io.vertx.redis.client.Redis;
import jakarta.inject.Inject;
import java.util.UUID;
import java.util.logging.Logger;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;

/** Classes that break the rules of {@link HouseRulesTest}, each in one way; never used. */
final class PlantedOffenders {

  private PlantedOffenders() {}

  static final class KnowsTheOutbox {
    @Nullable OutboxMessage message;
  }

  static final class KnowsTheInbox {
    @Nullable InboxStore inbox;
  }

  static final class KnowsTheTransport {
    @Nullable Channel channel;
  }

  static final class KnowsRedis {
    @Nullable Redis redis;
  }

  static final class LogsPastTheLog {
    final Logger log = Logger.getLogger("planted");
  }

  static final class PrintsOut {
    void print() {
      System.out.println("look at me");
    }
  }

  static final class PrintsErrors {
    void print() {
      System.err.println("look at me");
    }
  }

  static final class PrintsStackTraces {
    void print(Exception e) {
      e.printStackTrace();
    }
  }

  static final class InjectsAField {
    @Inject @Nullable UUID injected;
  }

  static final class InjectsConfiguration {
    @ConfigProperty(name = "planted")
    @Nullable String injected;
  }
}
