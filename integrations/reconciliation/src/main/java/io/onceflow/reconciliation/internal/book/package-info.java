/** Where entries come from: queries, other services, and the application's own books. */
@NullMarked
package io.onceflow.reconciliation.internal.book;

import org.jspecify.annotations.NullMarked;
