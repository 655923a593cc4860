package io.onceflow.systemtests;

/** A service as {@code GET /sagas/services} tells of it, for a scripted service to answer. */
final class ServiceJson {

  private ServiceJson() {}

  /** One that works and has nothing to do. */
  static String of(String name) {
    return """
        {"name": "%1$s", "url": null, "reachable": true, "why": null,
          "participant": {"name": "%1$s", "handledPerSecond": 1, "p50Ms": 1, "p95Ms": 1, "p99Ms": 1,
            "failures": 0, "breakers": [], "paused": false, "pausedBy": null, "pausedAt": null,
            "pausedReason": null, "parked": 0, "outboxOldestAgeMs": null,
            "queues": [{"queue": "%1$s.commands", "depth": 0, "consumers": 1,
                        "paused": false, "warning": null}]}}
        """
        .formatted(name);
  }

  static String unreachable(String name) {
    return """
        {"name": "%s", "url": "http://payments:8081", "reachable": false,
         "why": "Cannot connect to payments:8081.", "participant": null}
        """
        .formatted(name);
  }
}
