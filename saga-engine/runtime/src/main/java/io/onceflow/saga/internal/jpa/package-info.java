/** Sagas about JPA entities. Needs Hibernate ORM, which only applications with such sagas have. */
@NullMarked
package io.onceflow.saga.internal.jpa;

import org.jspecify.annotations.NullMarked;
