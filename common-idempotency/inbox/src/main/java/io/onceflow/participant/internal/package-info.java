/** The methods of beans that handle commands: found, checked, called. */
@NullMarked
package io.onceflow.participant.internal;

import org.jspecify.annotations.NullMarked;
