package io.onceflow.internal.startup;

import java.time.Duration;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A readiness check for the keys that verify tokens. They are read again and again until that has
 * succeeded once. From then on the service is ready whether the issuer answers or not, since the
 * keys are cached.
 */
public final class IssuerKey implements HealthCheck, AutoCloseable {

  private static final Logger LOG = Logger.getLogger(IssuerKey.class);

  /**
   * Short beside the time in which an operator corrects it, long beside what a request costs the
   * issuer.
   */
  private static final Duration PAUSE = Duration.ofSeconds(2);

  private static final String SETTING = "mp.jwt.verify.publickey.location";
  private static final String UNREAD = "not read yet";

  private final @Nullable String place;
  private final Look look;
  private final Thread thread;
  private volatile @Nullable String trouble = UNREAD;

  /** Reads the keys as the verification of tokens does. */
  @FunctionalInterface
  public interface Look {

    /**
     * Returns whether there is a public key.
     *
     * @throws Exception when the place cannot be read
     */
    boolean findsKey() throws Exception;
  }

  /**
   * @param place where the keys are, as configured; null if it is not
   */
  public IssuerKey(@Nullable String place, Look look) {
    this.place = place;
    this.look = look;
    this.thread = Thread.ofVirtual().name("issuer-key").unstarted(this::readUntilItCan);
  }

  /** Starts reading in the background. */
  public void start() {
    thread.start();
  }

  private void readUntilItCan() {
    try {
      while (trouble != null) {
        read();
        if (trouble != null) {
          Thread.sleep(PAUSE);
        }
      }
    } catch (InterruptedException e) {
      LOG.debug("stopped reading the issuer's keys");
    }
  }

  private void read() {
    String why = why();
    String before = trouble;
    trouble = why;
    if (why == null && before != null && !before.equals(UNREAD)) {
      LOG.info("the issuer's keys are there");
    } else if (why != null && !why.equals(before)) {
      LOG.errorf("tokens cannot be checked: %s; trying again until they can", why);
    }
  }

  /** Null when there is a key. */
  private @Nullable String why() {
    if (place == null) {
      return SETTING + " is not set";
    }
    try {
      return look.findsKey() ? null : "%s %s holds no public key".formatted(SETTING, place);
    } catch (Exception e) {
      return "%s %s cannot be read (%s)".formatted(SETTING, place, first(e));
    }
  }

  private static String first(Throwable e) {
    Throwable first = e;
    while (first.getCause() != null) {
      first = first.getCause();
    }
    return first.toString().lines().findFirst().orElse("");
  }

  @Override
  public HealthCheckResponse call() {
    String why = trouble;
    HealthCheckResponseBuilder response = HealthCheckResponse.named("issuer-key");
    if (why != null) {
      response.withData("trouble", why);
    }
    return response.status(why == null).build();
  }

  /** Stops reading. */
  @Override
  public void close() {
    thread.interrupt();
  }
}
