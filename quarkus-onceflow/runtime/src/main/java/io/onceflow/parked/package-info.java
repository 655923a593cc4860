/** What an application may say about how operators see its parked messages (rule 13). */
@NullMarked
package io.onceflow.parked;

import org.jspecify.annotations.NullMarked;
