package io.onceflow.systemtests;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * A class whose answer is the same on containers and on the embedded stack, since it is about the
 * services and what stands in front of them, or needs no stack. CI, which tests on both, leaves it
 * out of the second round, the profile {@code embedded-too}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("one-stack-is-enough")
public @interface OneStackIsEnough {}
