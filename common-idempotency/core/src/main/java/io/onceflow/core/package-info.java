/** What all else is built on, in plain Java: keys, scopes, fingerprints. */
@NullMarked
package io.onceflow.core;

import org.jspecify.annotations.NullMarked;
