package io.onceflow.inbox.internal.call;

import io.onceflow.inbox.internal.InboxConfig;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A lane for each type of command.
 *
 * @param <C> a call
 */
public final class CallLanes<C> {

  private final Map<String, CallLane<C>> lanes = new ConcurrentHashMap<>();
  private final InboxConfig.CallOut config;
  private volatile boolean isClosed;

  public CallLanes(InboxConfig.CallOut config) {
    this.config = config;
  }

  public CallLane<C> of(String type) {
    CallLane<C> lane = lanes.computeIfAbsent(type, its -> new CallLane<>(config));
    if (isClosed) {
      lane.close();
    }
    return lane;
  }

  /** Admits nothing from now on, and returns the calls that wait. */
  List<C> close() {
    isClosed = true;
    return lanes.values().stream().flatMap(lane -> lane.close().stream()).toList();
  }
}
