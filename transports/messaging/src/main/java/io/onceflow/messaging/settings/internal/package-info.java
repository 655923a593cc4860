/**
 * What connectors are set to, given, and seen to do, for channels whose messages must not be lost.
 */
@NullMarked
package io.onceflow.messaging.settings.internal;

import org.jspecify.annotations.NullMarked;
