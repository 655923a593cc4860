/** Shows and pauses this service as a participant, and the other services from the orchestrator. */
@NullMarked
package io.onceflow.participants.internal;

import org.jspecify.annotations.NullMarked;
