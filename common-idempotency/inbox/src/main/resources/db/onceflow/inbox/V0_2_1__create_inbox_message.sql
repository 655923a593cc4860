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
-- Keys are compared byte by byte: a new version of the operating system's locales would reorder their indexes otherwise.
CREATE TABLE inbox_message (
  scope            text        COLLATE "C" NOT NULL,  -- whose key it is: the authenticated subject
  step_key         text        COLLATE "C" NOT NULL,  -- <root key>:<step>@<application>/<definition>
  fingerprint      bytea       NOT NULL,              -- SHA-256 of the message's payload; empty for a tombstone
  status           text        NOT NULL,
  fencing_token    bigint      NOT NULL DEFAULT 1,    -- must match when the result is written (rule 4)
  lease_expires_at timestamptz,                       -- only while STARTED; the database's clock decides
  attempts         integer     NOT NULL DEFAULT 1,
  envelope         json,                              -- only while STARTED: what a successor needs to go on
  outcome          json,                              -- the reply, kept letter for letter to answer again (rule 12)
  received_at      timestamptz NOT NULL DEFAULT now(),
  completed_at     timestamptz,
  taken_up_at      timestamptz,                       -- last, after it had waited; null if it was begun when it arrived
  pending_since    timestamptz,                       -- when it was first answered as pending; kept when it has ended
  pending_token    bigint,                            -- under which it was last: while it is the step's, no attempt is under way
  woken_token      bigint,                            -- under which it was woken last: what is answered as pending under it is due at once
  PRIMARY KEY (scope, step_key),
  CONSTRAINT inbox_message_status CHECK (status IN ('STARTED', 'COMPLETED', 'TOMBSTONE')),
  CONSTRAINT inbox_message_lease_only_while_started CHECK ((status = 'STARTED') = (lease_expires_at IS NOT NULL)),
  CONSTRAINT inbox_message_envelope_only_while_started CHECK ((status = 'STARTED') = (envelope IS NOT NULL)),
  CONSTRAINT inbox_message_outcome_once_done CHECK ((status = 'COMPLETED') = (outcome IS NOT NULL)),
  CONSTRAINT inbox_message_completed_at_once_done CHECK ((status = 'COMPLETED') = (completed_at IS NOT NULL))
);

-- Read by garbage collection: the steps that ended longest ago. A tombstone ends when it is set.
CREATE INDEX inbox_message_ended ON inbox_message ((coalesce(completed_at, received_at)))
  WHERE status <> 'STARTED';

-- Started steps are few, and often none when the table is analyzed. To the planner one index of them is then as good as
-- another, and it takes one of which it has to read everything: all entries of steps that have ended, while another
-- transaction keeps its snapshot, or all that are due, for each scope. So the predicates below say the same in words of
-- their own, of which each look has those of its index: only a step that is STARTED has these columns filled or empty so.

-- Read by garbage collection: whether another step of the same root key runs, for which ended ones are kept.
CREATE INDEX inbox_message_started ON inbox_message (scope, (coalesce(substring(step_key FROM '^(.*):'), step_key)))
  WHERE status = 'STARTED';

-- Read by the look for due steps, from a moment on: entries of steps that have ended lie before it.
CREATE INDEX inbox_message_by_lease ON inbox_message (lease_expires_at)
  WHERE completed_at IS NULL AND lease_expires_at IS NOT NULL;

-- Read by the look for due steps where many are due: type by type, since each type of command has calls of its own, and
-- within a type scope by scope, so that a scope with much to do does not hide what else is due.
CREATE INDEX inbox_message_by_type ON inbox_message (((envelope ->> 'type') COLLATE "C"), scope, lease_expires_at)
  WHERE envelope IS NOT NULL;

-- Read by the gauge of pending steps.
CREATE INDEX inbox_message_by_pending ON inbox_message (pending_since)
  WHERE completed_at IS NULL AND pending_since IS NOT NULL;
