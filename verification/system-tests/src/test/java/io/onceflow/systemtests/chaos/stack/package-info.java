/** What is broken: processes, their connections, PostgreSQL and the broker, all on this machine. */
@NullMarked
package io.onceflow.systemtests.chaos.stack;

import org.jspecify.annotations.NullMarked;
