package io.onceflow.deployment;

import java.util.Map;

/**
 * A Service as others see it.
 *
 * @param ports its own, by name
 */
record Reachable(String name, Map<String, String> labels, Map<String, Integer> ports) {}
