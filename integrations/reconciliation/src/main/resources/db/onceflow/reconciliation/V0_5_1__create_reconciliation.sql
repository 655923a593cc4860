-- Comparisons of two books of one day, each a job: the replica that holds its lease works on it, and one of a replica that
-- crashed begins anew on another.
CREATE TABLE reconciliation_run (
  id               uuid        NOT NULL,                -- UUIDv7: the order in which they were asked for
  comparison       text        COLLATE "C" NOT NULL,    -- its name in the configuration
  day              date        NOT NULL,                -- UTC
  round            int,                                 -- which scheduled comparison of the day; null of one on demand
  requested_by     text,                                -- the operator; null of a scheduled one
  status           text        NOT NULL DEFAULT 'WAITING',
  attempts         int         NOT NULL DEFAULT 0,
  due_at           timestamptz NOT NULL DEFAULT now(),
  owner            uuid,                                -- the process that holds or held the lease
  lease_expires_at timestamptz,
  fencing_token    bigint      NOT NULL DEFAULT 0,      -- of the attempt; what an earlier one writes is refused
  ours             bigint,                              -- entries that were read
  theirs           bigint,
  differences      bigint,                              -- that were found, also those beyond what is stored
  stored           bigint,
  failure          text,                                -- why the last attempt failed
  created_at       timestamptz NOT NULL DEFAULT now(),
  started_at       timestamptz,
  finished_at      timestamptz,
  PRIMARY KEY (id),
  CONSTRAINT reconciliation_run_status CHECK (status IN ('WAITING', 'RUNNING', 'COMPLETED', 'FAILED')),
  CONSTRAINT reconciliation_run_finished_at_its_end CHECK ((status IN ('COMPLETED', 'FAILED')) = (finished_at IS NOT NULL)),
  CONSTRAINT reconciliation_run_scheduled_or_requested CHECK ((round IS NULL) = (requested_by IS NOT NULL)),
  CONSTRAINT reconciliation_run_counts_once_completed CHECK
    (status <> 'COMPLETED' OR ours IS NOT NULL AND theirs IS NOT NULL AND differences IS NOT NULL AND stored IS NOT NULL)
);

-- A day is not compared twice at a time, and each scheduled comparison of it is made once. Both are read where a run is asked
-- for; that of unfinished ones also by the replica that looks for work.
CREATE UNIQUE INDEX reconciliation_run_once_at_a_time ON reconciliation_run (comparison, day) WHERE finished_at IS NULL;
CREATE UNIQUE INDEX reconciliation_run_once_per_round ON reconciliation_run (comparison, day, round) WHERE round IS NOT NULL;

-- One for all runs, so that a number is never used again.
CREATE SEQUENCE reconciliation_token;

-- Both books of the run under way. Not logged: after a crash it is empty, and the run begins anew.
CREATE UNLOGGED TABLE reconciliation_entry (
  token      bigint      NOT NULL,                      -- of the attempt
  ours       boolean     NOT NULL,
  reference  text        COLLATE "C" NOT NULL,
  state      text        NOT NULL,                      -- one, or all that agree with it: REFUNDED|ABSENT
  amount     bigint,                                    -- minor units; null where there is none
  currency   text,
  at         timestamptz NOT NULL,
  changed_at timestamptz NOT NULL
);

-- The service's role may write rows and owns no table, so these run with the rights of the role that migrates.
CREATE FUNCTION empty_reconciliation_entry() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  TRUNCATE reconciliation_entry;
END
$$;

CREATE FUNCTION analyze_reconciliation_entry() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  ANALYZE reconciliation_entry;
END
$$;

-- What two books differ in. One row for each kind of difference of a reference, however often it is found.
CREATE TABLE reconciliation_difference (
  id            uuid        NOT NULL,                   -- UUIDv7
  comparison    text        COLLATE "C" NOT NULL,       -- keys are compared byte by byte, whatever the locale
  reference     text        COLLATE "C" NOT NULL,
  kind          text        COLLATE "C" NOT NULL,
  day           date        NOT NULL,                   -- of the run that found it last
  status        text        NOT NULL DEFAULT 'OPEN',
  ours          jsonb       NOT NULL,                   -- the entries of our book, as an array
  theirs        jsonb       NOT NULL,
  first_seen_at timestamptz NOT NULL DEFAULT now(),
  last_seen_at  timestamptz NOT NULL DEFAULT now(),
  closed_at     timestamptz,
  closed_by     text,                                   -- the operator; null where a run found it gone
  reason        text,                                   -- in the operator's words
  outcome       text,                                   -- of the last mend, also of one that failed
  mending_until timestamptz,                            -- a mend is under way; after this time it may be tried again
  PRIMARY KEY (id),
  CONSTRAINT reconciliation_difference_once UNIQUE (comparison, reference, kind),
  CONSTRAINT reconciliation_difference_kind CHECK
    (kind IN ('MISSING_HERE', 'MISSING_THERE', 'AMOUNT', 'CURRENCY', 'STATE', 'TWICE')),
  CONSTRAINT reconciliation_difference_status CHECK (status IN ('OPEN', 'MENDING', 'MENDED', 'DISMISSED', 'RESOLVED')),
  CONSTRAINT reconciliation_difference_closed_at_its_end CHECK
    ((status IN ('MENDED', 'DISMISSED', 'RESOLVED')) = (closed_at IS NOT NULL)),
  CONSTRAINT reconciliation_difference_mending CHECK ((status = 'MENDING') = (mending_until IS NOT NULL))
);

-- Read by the gauge of open differences and by operators' lists, few among all that were ever found.
CREATE INDEX reconciliation_difference_open ON reconciliation_difference (comparison, day) WHERE closed_at IS NULL;
