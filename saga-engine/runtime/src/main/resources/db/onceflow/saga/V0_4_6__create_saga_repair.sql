-- An operator's action on all sagas that a filter found. Its sagas are marked when it starts; the timer of any replica
-- carries the marks out.
CREATE TABLE saga_repair (
  id               uuid        PRIMARY KEY,              -- UUIDv7: the order of their starts
  action           text        NOT NULL,
  filter           json        NOT NULL,                 -- as it was asked for
  filter_hash      bytea       NOT NULL,                 -- SHA-256 of action and filter
  reason           text,                                 -- in the operator's words
  until            timestamptz,                          -- when what it holds is resumed; null: by hand
  per_second       int         NOT NULL,
  status           text        NOT NULL,
  started_by       text        NOT NULL,
  approved_by      text,
  started_at       timestamptz NOT NULL DEFAULT now(),
  finished_at      timestamptz,
  spent_until      timestamptz NOT NULL DEFAULT now(),   -- up to when the allowance of its rate is used up
  CONSTRAINT saga_repair_action CHECK (action IN ('RETRY', 'COMPENSATE', 'CANCEL', 'HOLD', 'RESUME')),
  CONSTRAINT saga_repair_status CHECK (status IN ('AWAITING_APPROVAL', 'RUNNING', 'PAUSED', 'STOPPED', 'FINISHED')),
  CONSTRAINT saga_repair_finished_at_its_end CHECK ((status IN ('STOPPED', 'FINISHED')) = (finished_at IS NOT NULL)),
  CONSTRAINT saga_repair_approved_by_another CHECK (approved_by <> started_by),
  CONSTRAINT saga_repair_rate CHECK (per_second > 0)
) WITH (fillfactor = 50);                                -- its allowance is written with each saga

-- The same repair is not started twice, by any operator on any replica. Its predicate serves the gauges and the timer as well.
CREATE UNIQUE INDEX saga_repair_once_at_a_time ON saga_repair (filter_hash) WHERE finished_at IS NULL;

-- The mark of a repair on one saga, and what became of it.
CREATE TABLE saga_repair_item (
  repair_id uuid        NOT NULL REFERENCES saga_repair ON DELETE CASCADE,
  saga_id   uuid        NOT NULL,
  outcome   text        COLLATE "C" NOT NULL DEFAULT 'PENDING',
  why       text,                                        -- it failed or was refused
  at        timestamptz NOT NULL DEFAULT now(),          -- when the outcome changed last, or the saga was found locked
  revision  bigint,                                      -- of the saga once the action was carried out
  status    text,                                        -- of the saga then
  replies   int,                                         -- that the saga had got by then
  PRIMARY KEY (repair_id, saga_id),
  CONSTRAINT saga_repair_item_outcome CHECK (outcome IN ('PENDING', 'REQUESTED', 'REPAIRED', 'FAILED', 'REFUSED')),
  CONSTRAINT saga_repair_item_says_why CHECK ((outcome IN ('FAILED', 'REFUSED')) = (why IS NOT NULL)),
  CONSTRAINT saga_repair_item_mark_once_asked
    CHECK (outcome NOT IN ('REQUESTED', 'REPAIRED') OR revision IS NOT NULL AND status IS NOT NULL AND replies IS NOT NULL)
);

-- Read for the next pending saga of a repair, for those that were asked, and for how many have each outcome.
CREATE INDEX saga_repair_item_by_outcome ON saga_repair_item (repair_id, outcome, at);
