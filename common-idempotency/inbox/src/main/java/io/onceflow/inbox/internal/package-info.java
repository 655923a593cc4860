/** The inbox table: handled steps, their leases and stored outcomes. */
@NullMarked
package io.onceflow.inbox.internal;

import org.jspecify.annotations.NullMarked;
