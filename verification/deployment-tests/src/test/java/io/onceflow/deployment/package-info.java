/**
 * What lies in {@code deploy/}, checked without a cluster: every overlay is rendered, every object
 * is read strictly into the published schemas, and what refers to something is held against what
 * there is. {@link io.onceflow.deployment.OverlaysTest} is where to begin reading.
 */
@NullMarked
package io.onceflow.deployment;

import org.jspecify.annotations.NullMarked;
