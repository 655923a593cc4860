/** The conformance suite's saga on Onceflow, and the requests by which the suite drives it. */
@NullMarked
package io.onceflow.conformance.onceflow;

import org.jspecify.annotations.NullMarked;
