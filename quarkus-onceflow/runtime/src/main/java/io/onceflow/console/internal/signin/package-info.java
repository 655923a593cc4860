/** Signs the console's users in at an OpenID Connect issuer, by quarkus-oidc. */
@NullMarked
package io.onceflow.console.internal.signin;

import org.jspecify.annotations.NullMarked;
