-- One row per step that this service has taken on: the memory that makes a repeated message harmless.
--
--   (no row) ──intent──▶ STARTED ──result, under the fencing token──▶ COMPLETED
--      │                   ▲ │ lease over: a successor takes the next token
--      │                   └─┘
--      ├──decided at once──▶ COMPLETED
--      └──compensation came first──▶ TOMBSTONE
--
-- A step that is answered as pending stays STARTED: it waits for a webhook, a person or another system, and rests until the
-- end of its lease, when its handler is asked again.
--
-- The message of a step that is called out for at once stays with the broker until the result is committed, so its row holds
-- no copy. One that has to wait here is stored: for a retry, a place among the calls, the world, or, when it comes again
-- while its step runs, the end of the lease.
--
-- Keys are compared byte by byte: a new version of the operating system's locales would reorder their indexes otherwise.
CREATE TABLE inbox_message (
  scope            text        COLLATE "C" NOT NULL,  -- whose key it is: the authenticated subject
  step_key         text        COLLATE "C" NOT NULL,  -- <root key>:<step>@<application>/<definition>
  fingerprint      bytea       NOT NULL,              -- SHA-256 of the message's payload; empty for a tombstone
  status           text        NOT NULL,
  fencing_token    bigint      NOT NULL DEFAULT 1,    -- must match when the result is written (rule 4)
  lease_expires_at timestamptz,                       -- counts while STARTED; the database's clock decides
  attempts         integer     NOT NULL DEFAULT 1,
  envelope         json,                              -- only while STARTED: the message, where it is stored
  outcome          json,                              -- the reply, kept letter for letter to answer again (rule 12)
  received_at      timestamptz NOT NULL DEFAULT now(),
  completed_at     timestamptz,
  taken_up_at      timestamptz,                       -- last, after it had waited; null if it was begun when it arrived
  pending_since    timestamptz,                       -- when it was first answered as pending; kept when it has ended
  pending_token    bigint,                            -- under which it was last: while it is the step's, no attempt is under way
  woken_token      bigint,                            -- under which it was woken last: what is answered as pending under it is due at once
  PRIMARY KEY (scope, step_key),
  CONSTRAINT inbox_message_status CHECK (status IN ('STARTED', 'COMPLETED', 'TOMBSTONE')),
  CONSTRAINT inbox_message_lease_while_started CHECK (status <> 'STARTED' OR lease_expires_at IS NOT NULL),
  CONSTRAINT inbox_message_envelope_only_while_started CHECK (status = 'STARTED' OR envelope IS NULL),
  CONSTRAINT inbox_message_counts CHECK (attempts >= 0 AND fencing_token > 0),
  CONSTRAINT inbox_message_outcome_once_done CHECK ((status = 'COMPLETED') = (outcome IS NOT NULL)),
  CONSTRAINT inbox_message_completed_at_once_done CHECK ((status = 'COMPLETED') = (completed_at IS NOT NULL))
) WITH (fillfactor = 35);  -- a result makes its row nearly twice as long, and those of a page may come in one transaction

-- Two entries for a step, and none for its result: what completing a step changes is in no index but for steps whose message
-- is stored (HOT). So no index may name status, completed_at or outcome, and those of leases are of stored messages only.

-- Read by garbage collection: from the rows that came longest ago on. Entries are added at its end, which costs least.
CREATE INDEX inbox_message_received ON inbox_message (received_at);

-- Stored messages are few, and often none when the table is analyzed. To the planner one index of them is then as good as
-- another, and it takes one of which it has to read everything: all entries of steps that have ended, while another
-- transaction keeps its snapshot, or all that are due, for each scope. So the predicates below name columns that are never
-- otherwise, and each look names those of its index.

-- Read by garbage collection: whether another step of the same root key waits, for which ended ones are kept. One that is
-- called out for with its message at the broker was sent within the time that rule 14 allows for.
CREATE INDEX inbox_message_stored ON inbox_message (scope, (coalesce(substring(step_key FROM '^(.*):'), step_key)))
  WHERE envelope IS NOT NULL AND attempts >= 0 AND fencing_token > 0;

-- Read by the look for due steps, from a moment on: entries of steps that have ended lie before it.
CREATE INDEX inbox_message_by_lease ON inbox_message (lease_expires_at)
  WHERE envelope IS NOT NULL AND attempts >= 0;

-- Read by the look for due steps where many are due: type by type, since each type of command has calls of its own, and
-- within a type scope by scope, so that a scope with much to do does not hide what else is due.
CREATE INDEX inbox_message_by_type ON inbox_message (((envelope ->> 'type') COLLATE "C"), scope, lease_expires_at)
  WHERE envelope IS NOT NULL AND fencing_token > 0;

-- Read by the gauge of pending steps.
CREATE INDEX inbox_message_by_pending ON inbox_message (pending_since)
  WHERE envelope IS NOT NULL AND pending_since IS NOT NULL;
