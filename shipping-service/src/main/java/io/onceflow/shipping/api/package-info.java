/** What others may ask this service over HTTP: shipments, and what it could not handle. */
@NullMarked
package io.onceflow.shipping.api;

import org.jspecify.annotations.NullMarked;
