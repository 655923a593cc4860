/**
 * PostgreSQL and an AMQP broker that come as Maven artifacts, so that a machine needs nothing
 * installed but a JDK.
 */
@NullMarked
package io.onceflow.launcher.servers;

import org.jspecify.annotations.NullMarked;
