/** Carries out commands: reads them, lets handlers decide, and writes the decisions. */
@NullMarked
package io.onceflow.inbox.internal.participant;

import org.jspecify.annotations.NullMarked;
