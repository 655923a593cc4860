package io.onceflow.inbox.internal.call;

/**
 * A step is let go of, because this process stops: any replica takes it up at once. A call that was
 * interrupted counts as an attempt, since it may have been heard; one that was not started does
 * not.
 */
public final class LeaseRelease extends Exception {

  private static final long serialVersionUID = 1L;

  private final boolean isBegun;

  public LeaseRelease(boolean isBegun) {
    super("this process stops");
    this.isBegun = isBegun;
  }

  public boolean isBegun() {
    return isBegun;
  }
}
