/** Parked messages: stored with a reason, listed, redriven and discarded. */
@NullMarked
package io.onceflow.inbox.internal.parking;

import org.jspecify.annotations.NullMarked;
