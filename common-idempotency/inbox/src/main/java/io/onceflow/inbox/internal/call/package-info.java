/** Calls to other systems: lanes for each type of command, leases, retries. */
@NullMarked
package io.onceflow.inbox.internal.call;

import org.jspecify.annotations.NullMarked;
