/** Equipment for rent. */
@NullMarked
package com.example.rental;

import org.jspecify.annotations.NullMarked;
