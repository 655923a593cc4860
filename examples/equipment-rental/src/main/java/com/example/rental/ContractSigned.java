package com.example.rental;

/** The event that a large rental waits for. */
record ContractSigned(String by) {}
