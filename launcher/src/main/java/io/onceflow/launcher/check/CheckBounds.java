package io.onceflow.launcher.check;

import java.time.Duration;

/**
 * How much a check reads, and what it leaves alone.
 *
 * @param newest so many sagas and so many orders, the newest ones
 * @param most so many findings of a law
 * @param grace for how long something may be overdue
 * @param within of sagas that ended longer ago, rows of inboxes may have been deleted
 * @param timeout of each query
 */
public record CheckBounds(
    int newest, int most, Duration grace, Duration within, Duration timeout) {}
