/** The transport of an application that talks to itself alone: no broker, PostgreSQL only. */
@NullMarked
package io.onceflow.local.internal;

import org.jspecify.annotations.NullMarked;
