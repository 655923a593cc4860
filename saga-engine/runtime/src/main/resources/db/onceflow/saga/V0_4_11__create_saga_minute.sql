-- What sagas did, by minute: each replica counts in memory and adds its own once a minute. Deleted after
-- onceflow.saga.minutes-retention. The last minute of a replica that is killed is lost; nothing is decided by these figures.
CREATE TABLE saga_minute (
  minute      timestamptz NOT NULL,                    -- its beginning, by the clock of the replicas
  definition  text        COLLATE "C" NOT NULL,
  started     bigint      NOT NULL,
  completed   bigint      NOT NULL,
  compensated bigint      NOT NULL,
  took_ms     bigint      NOT NULL,                    -- those that ended, together, from start to end
  durations   int[]       NOT NULL,                    -- how many ended, by the bucket of their duration
  PRIMARY KEY (minute, definition)
);

-- Only steps of which something failed.
CREATE TABLE saga_step_minute (
  minute     timestamptz NOT NULL,
  definition text        COLLATE "C" NOT NULL,
  step       text        COLLATE "C" NOT NULL,
  refused    bigint      NOT NULL,
  given_up   bigint      NOT NULL,
  sent_again bigint      NOT NULL,
  PRIMARY KEY (minute, definition, step)
);

-- The most that any replica saw, when it wrote its minute.
CREATE TABLE saga_backlog_minute (
  minute           timestamptz PRIMARY KEY,
  open             bigint,                             -- sagas; NULL: not known, likewise the others
  outbox_messages  bigint,
  outbox_oldest_ms bigint
);
