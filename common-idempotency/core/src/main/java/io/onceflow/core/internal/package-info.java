/** Canonical JSON, fingerprints, step keys and scopes: what the modules share. */
@NullMarked
package io.onceflow.core.internal;

import org.jspecify.annotations.NullMarked;
