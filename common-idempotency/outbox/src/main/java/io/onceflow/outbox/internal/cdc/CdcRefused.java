package io.onceflow.outbox.internal.cdc;

import io.onceflow.core.internal.OnceflowException;

/** The database does not let its log be read; start-up refuses it. */
public final class CdcRefused extends OnceflowException {

  private static final long serialVersionUID = 1L;

  CdcRefused(String why, String whatToDo) {
    super(
        "onceflow.outbox.relay is cdc, but %s. %s, or set onceflow.outbox.relay=poller"
            .formatted(why, whatToDo));
  }
}
