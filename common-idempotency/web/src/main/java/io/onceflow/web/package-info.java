/** What an application's own requests and refusals need to look like the product's. */
@NullMarked
package io.onceflow.web;

import org.jspecify.annotations.NullMarked;
