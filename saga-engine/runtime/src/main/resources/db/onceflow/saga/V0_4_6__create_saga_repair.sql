-- An operator's action on all sagas that a filter finds. It is a job in this table: whichever replica holds its lease works
-- on it, and the next one goes on where that stopped.
CREATE TABLE saga_repair (
  id               uuid        PRIMARY KEY,              -- UUIDv7: the order of their starts
  action           text        NOT NULL,
  filter           json        NOT NULL,                 -- as it was asked for
  filter_hash      bytea       NOT NULL,                 -- SHA-256 of action and filter
  reason           text,                                 -- in the operator's words
  per_second       int         NOT NULL,
  status           text        NOT NULL,
  started_by       text        NOT NULL,
  approved_by      text,
  started_at       timestamptz NOT NULL DEFAULT now(),
  finished_at      timestamptz,
  position         uuid,                                 -- the last saga that was looked at while they are chosen
  chosen_all       boolean     NOT NULL DEFAULT false,   -- whether all sagas have their item; none is acted on before
  pending          int         NOT NULL DEFAULT 0,       -- how many items have each outcome; kept with them
  requested        int         NOT NULL DEFAULT 0,
  repaired         int         NOT NULL DEFAULT 0,
  failed           int         NOT NULL DEFAULT 0,
  refused          int         NOT NULL DEFAULT 0,
  progressed_at    timestamptz NOT NULL DEFAULT now(),   -- when one of these numbers changed last, or work could begin
  spent_until      timestamptz NOT NULL DEFAULT now(),   -- up to when the allowance of its rate is used up
  owner            uuid,                                 -- the process that holds or held the lease
  lease_expires_at timestamptz,
  fencing_token    bigint      NOT NULL DEFAULT 0,       -- counts owners; what an earlier one writes is refused
  CONSTRAINT saga_repair_action CHECK (action IN ('RETRY', 'COMPENSATE', 'CANCEL')),
  CONSTRAINT saga_repair_status CHECK (status IN ('AWAITING_APPROVAL', 'RUNNING', 'PAUSED', 'STOPPED', 'FINISHED')),
  CONSTRAINT saga_repair_finished_at_its_end CHECK ((status IN ('STOPPED', 'FINISHED')) = (finished_at IS NOT NULL)),
  CONSTRAINT saga_repair_approved_by_another CHECK (approved_by <> started_by),
  CONSTRAINT saga_repair_rate CHECK (per_second > 0),
  CONSTRAINT saga_repair_counts CHECK (least(pending, requested, repaired, failed, refused) >= 0)
) WITH (fillfactor = 50);                                -- its counts are written with each item

-- The same repair is not started twice, by any operator on any replica. Its predicate serves the gauges and the lease as well.
CREATE UNIQUE INDEX saga_repair_once_at_a_time ON saga_repair (filter_hash) WHERE finished_at IS NULL;

-- One row per saga of a repair.
CREATE TABLE saga_repair_item (
  repair_id uuid        NOT NULL REFERENCES saga_repair ON DELETE CASCADE,
  saga_id   uuid        NOT NULL,
  outcome   text        COLLATE "C" NOT NULL DEFAULT 'PENDING',
  why       text,                                        -- it failed or was refused
  at        timestamptz NOT NULL DEFAULT now(),          -- when the outcome changed last
  revision  bigint,                                      -- of the saga once the action was carried out
  status    text,                                        -- of the saga then
  replies   int,                                         -- that the saga had got by then
  PRIMARY KEY (repair_id, saga_id),
  CONSTRAINT saga_repair_item_outcome CHECK (outcome IN ('PENDING', 'REQUESTED', 'REPAIRED', 'FAILED', 'REFUSED')),
  CONSTRAINT saga_repair_item_says_why CHECK ((outcome IN ('FAILED', 'REFUSED')) = (why IS NOT NULL)),
  CONSTRAINT saga_repair_item_mark_once_asked
    CHECK (outcome NOT IN ('REQUESTED', 'REPAIRED') OR revision IS NOT NULL AND status IS NOT NULL AND replies IS NOT NULL)
);

-- Read for a repair's pending and requested items, and for those that failed.
CREATE INDEX saga_repair_item_by_outcome ON saga_repair_item (repair_id, outcome, saga_id);
