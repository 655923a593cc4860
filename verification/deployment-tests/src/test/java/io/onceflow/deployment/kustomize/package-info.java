/**
 * Renders overlays: with kubectl or kustomize where one is installed, else by a small renderer that
 * knows as much of Kustomize as {@code deploy/kubernetes} uses, and refuses the rest.
 */
@NullMarked
package io.onceflow.deployment.kustomize;

import org.jspecify.annotations.NullMarked;
