/** The operators' face of parked messages over HTTP, the same in every service (rule 13). */
@NullMarked
package io.onceflow.service.parked;

import org.jspecify.annotations.NullMarked;
