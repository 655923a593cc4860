/** The versions of definitions, and which of them this build knows. */
@NullMarked
package io.onceflow.saga.internal.store.version;

import org.jspecify.annotations.NullMarked;
