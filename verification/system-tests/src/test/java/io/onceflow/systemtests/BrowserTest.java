package io.onceflow.systemtests;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A class of tests of the console in a real browser; left out, with the reason, where there is
 * none.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SystemTest
@ExtendWith(Chromium.class)
@interface BrowserTest {}
