/** What every line of a service's log has in common. */
@NullMarked
package io.onceflow.web.internal.logging;

import org.jspecify.annotations.NullMarked;
