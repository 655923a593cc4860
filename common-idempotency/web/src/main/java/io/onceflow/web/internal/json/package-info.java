/** How the JSON of a request is read, and how a problem names the field that cannot be read. */
@NullMarked
package io.onceflow.web.internal.json;

import org.jspecify.annotations.NullMarked;
