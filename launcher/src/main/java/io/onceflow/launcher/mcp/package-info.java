/** The operators' commands as tools of the Model Context Protocol, for assistants. */
@NullMarked
package io.onceflow.launcher.mcp;

import org.jspecify.annotations.NullMarked;
