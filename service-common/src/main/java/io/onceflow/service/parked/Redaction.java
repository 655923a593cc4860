package io.onceflow.service.parked;

import io.onceflow.inbox.ParkedMessageDetail;

/**
 * Takes out of a parked message what operators need not see. A service whose messages hold such a
 * thing has a bean of this type; without one a message is shown as it came. What is parked stays as
 * it is, to be redriven.
 */
public interface Redaction {

  /** The same message as it may be shown. */
  ParkedMessageDetail of(ParkedMessageDetail parked);
}
