/** The transport within one application: no broker, PostgreSQL only. */
@NullMarked
package io.onceflow.local.internal;

import org.jspecify.annotations.NullMarked;
