package io.onceflow.idempotency.internal.recovery;

import org.jboss.logging.Logger;

/** Something done turn after turn. That it fails is said once, and once that it no longer does. */
public final class PeriodicTask {

  private static final Logger LOG = Logger.getLogger(Housekeeping.class);

  private final String what;
  private boolean isFailing;

  /**
   * @param what is looked after, in the plural
   */
  public PeriodicTask(String what) {
    this.what = what;
  }

  /** One turn of it. */
  @FunctionalInterface
  public interface Work {
    void run() throws Exception;
  }

  /** Does it; a failure is for the next turn to make good. */
  public synchronized void attempt(Work work) {
    try {
      work.run();
      if (isFailing) {
        LOG.infof("%s are looked after again", what);
      }
      isFailing = false;
    } catch (Exception e) {
      if (!isFailing) {
        LOG.warnf("%s cannot be looked after: %s; tried again at every turn", what, e.getMessage());
      }
      LOG.debugf(e, "%s cannot be looked after", what);
      isFailing = true;
    }
  }
}
