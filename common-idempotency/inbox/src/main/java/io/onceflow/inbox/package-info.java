/** Each message takes effect once: step keys, stored outcomes, leases, and what is kept aside. */
@NullMarked
package io.onceflow.inbox;

import org.jspecify.annotations.NullMarked;
