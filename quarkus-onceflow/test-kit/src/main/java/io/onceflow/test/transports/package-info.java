/**
 * The laws of transports: what a {@code MessageTransport} and a {@code MessageSource} must do,
 * written as tests.
 */
@NullMarked
package io.onceflow.test.transports;

import org.jspecify.annotations.NullMarked;
