/**
 * What the processes of the comparison share. Plain Java without dependencies, so that it stands
 * beside the libraries of any peer.
 */
@NullMarked
package io.onceflow.benchmarks.peers;

import org.jspecify.annotations.NullMarked;
