-- One row per step that this service has taken on: the memory that makes a repeated message harmless.
--
--   (no row) ──intent──▶ STARTED ──result, under the fencing token──▶ COMPLETED
--      │                   ▲ │ lease over: a successor takes the next token
--      │                   └─┘
--      ├──decided at once──▶ COMPLETED
--      └──compensation came first──▶ TOMBSTONE
CREATE TABLE inbox_message (
  scope            text        NOT NULL,
  step_key         text        NOT NULL,              -- <root key>:<step>
  fingerprint      bytea       NOT NULL,              -- SHA-256 of the message's payload; empty for a tombstone
  status           text        NOT NULL,
  fencing_token    bigint      NOT NULL DEFAULT 1,    -- must match when the result is written (rule 4)
  lease_expires_at timestamptz,                       -- only while STARTED; the database's clock decides
  attempts         integer     NOT NULL DEFAULT 1,
  envelope         json,                              -- only while STARTED: what a successor needs to go on
  outcome          json,                              -- the reply, kept letter for letter to answer again (rule 12)
  received_at      timestamptz NOT NULL DEFAULT now(),
  completed_at     timestamptz,
  PRIMARY KEY (scope, step_key),
  CONSTRAINT inbox_message_status CHECK (status IN ('STARTED', 'COMPLETED', 'TOMBSTONE')),
  CONSTRAINT inbox_message_lease_only_while_started CHECK ((status = 'STARTED') = (lease_expires_at IS NOT NULL)),
  CONSTRAINT inbox_message_envelope_only_while_started CHECK ((status = 'STARTED') = (envelope IS NOT NULL)),
  CONSTRAINT inbox_message_outcome_once_done CHECK ((status = 'COMPLETED') = (outcome IS NOT NULL)),
  CONSTRAINT inbox_message_completed_at_once_done CHECK ((status = 'COMPLETED') = (completed_at IS NOT NULL))
);

-- The sweep that finds steps whose owner is gone or whose next attempt is due.
CREATE INDEX inbox_message_lease_due ON inbox_message (lease_expires_at) WHERE status = 'STARTED';
