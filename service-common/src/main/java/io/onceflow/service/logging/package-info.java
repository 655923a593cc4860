/** What every line of a service's log has in common. */
@NullMarked
package io.onceflow.service.logging;

import org.jspecify.annotations.NullMarked;
