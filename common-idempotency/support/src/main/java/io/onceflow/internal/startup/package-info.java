/**
 * What a service cannot do without, looked for when it starts: what is missing or refused is said
 * on one line, the service is not ready meanwhile, and continues by itself when it has been
 * corrected.
 */
@NullMarked
package io.onceflow.internal.startup;

import org.jspecify.annotations.NullMarked;
