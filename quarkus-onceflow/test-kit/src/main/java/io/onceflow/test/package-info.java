/**
 * What tests of an application with sagas and participants take: a saga's dialogue without servers,
 * laws of repositories, a PostgreSQL and a broker. The race kit is in {@code
 * io.onceflow.test.races}. How they are used: {@code docs/guide/testing.md}.
 */
@NullMarked
package io.onceflow.test;

import org.jspecify.annotations.NullMarked;
