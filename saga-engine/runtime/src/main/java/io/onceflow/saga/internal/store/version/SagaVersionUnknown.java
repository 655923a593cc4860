package io.onceflow.saga.internal.store.version;

import static java.util.stream.Collectors.joining;

import io.onceflow.core.internal.OnceflowException;
import io.onceflow.saga.internal.store.view.OpenSagas;
import java.util.List;

/** Sagas are under way whose version this process does not know; it must not start. */
public final class SagaVersionUnknown extends OnceflowException {

  private static final long serialVersionUID = 1L;

  SagaVersionUnknown(List<OpenSagas.Version> unknown, String known) {
    super(
        ("there are open sagas of versions that this process does not know: %s. It knows %s."
                + " Start a build that has these definitions beside its newest ones, or let a"
                + " build that has them run until the sagas have ended; until then nothing is"
                + " lost, and nothing of them moves.")
            .formatted(
                unknown.stream().map(OpenSagas.Version::toString).collect(joining(", ")), known));
  }
}
