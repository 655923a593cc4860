package io.onceflow.saga.internal.repair;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** Where a repair stands. */
@Schema(name = "RepairStatus")
enum RepairStatus {
  /** Nothing is done before a second operator has approved. */
  AWAITING_APPROVAL,
  RUNNING,
  PAUSED,
  /** An operator ended it; what was pending is left as it was. */
  STOPPED,
  /** Each saga has been repaired, or failed, or refused. */
  FINISHED
}
