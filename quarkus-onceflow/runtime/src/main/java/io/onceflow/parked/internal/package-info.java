/** The operators' REST resource of parked messages, the same in every application (rule 13). */
@NullMarked
package io.onceflow.parked.internal;

import org.jspecify.annotations.NullMarked;
