/**
 * Everything Onceflow needs on one machine with nothing installed but a JDK: PostgreSQL and an AMQP
 * broker that come as Maven artifacts, and the launcher that starts the services on them.
 */
@NullMarked
package io.onceflow.quickstart;

import org.jspecify.annotations.NullMarked;
