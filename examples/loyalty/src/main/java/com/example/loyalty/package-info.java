/** Points for purchases. */
@NullMarked
package com.example.loyalty;

import org.jspecify.annotations.NullMarked;
