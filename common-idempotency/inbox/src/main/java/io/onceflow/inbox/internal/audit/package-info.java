/** The audit log of operators: appended to, never changed, and chained by hash. */
@NullMarked
package io.onceflow.inbox.internal.audit;

import org.jspecify.annotations.NullMarked;
