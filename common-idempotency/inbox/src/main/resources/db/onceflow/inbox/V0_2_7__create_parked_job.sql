-- A redrive or deletion of all parked messages with one cause, asked for by an operator. The messages are marked with it; the loop
-- that tries failed messages again carries it out, on any replica. What is neither pending nor among the failures was handled.
CREATE TABLE parked_job (
  id          uuid        PRIMARY KEY,                 -- UUIDv7: the order of time
  action      text        NOT NULL,
  fingerprint text        COLLATE "C" NOT NULL,        -- of the group
  queue       text        NOT NULL,                    -- what its messages have in common, likewise the next two
  type        text,
  parked_for  text        NOT NULL,
  reason      text        NOT NULL,                    -- in the operator's words
  per_second  integer     NOT NULL,
  status      text        NOT NULL DEFAULT 'RUNNING',
  started_by  text        NOT NULL,                    -- the subject of the token
  started_at  timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  spent_until timestamptz NOT NULL DEFAULT now(),      -- how far its rate is used up, for all replicas
  total       integer     NOT NULL,
  failures    jsonb       NOT NULL DEFAULT '{}',       -- how many messages stay parked, by why
  handled     integer,                                 -- once it has ended: how many are parked no more
  CONSTRAINT parked_job_action CHECK (action IN ('REDRIVE', 'DELETE')),
  CONSTRAINT parked_job_status CHECK (status IN ('RUNNING', 'PAUSED', 'STOPPED', 'FINISHED')),
  CONSTRAINT parked_job_per_second CHECK (per_second > 0),
  CONSTRAINT parked_job_ended_as_a_whole CHECK
    ((finished_at IS NOT NULL) = (status IN ('STOPPED', 'FINISHED')) AND (finished_at IS NULL) = (handled IS NULL))
);

-- One at a time for a group. Read by the loop, too.
CREATE UNIQUE INDEX parked_job_open ON parked_job (fingerprint) WHERE finished_at IS NULL;

ALTER TABLE parked_message
  ADD COLUMN job_id          uuid,                     -- which has not come to it yet
  ADD COLUMN job_lease_until timestamptz;              -- while a replica is at it

-- Read by the loop for the next one, and to count the pending ones.
CREATE INDEX parked_message_of_job ON parked_message (job_id, id) WHERE job_id IS NOT NULL;
