-- Until when a saga may reach its pivot, and until when it wants a step. Null for sagas from before this column.
ALTER TABLE saga_instance
  ADD COLUMN deadline_at timestamptz,
  ADD CONSTRAINT saga_instance_deadline_while_running CHECK (status = 'RUNNING' OR deadline_at IS NULL);

ALTER TABLE saga_step
  ADD COLUMN expires_at timestamptz,         -- when it is given up on; null past the pivot
  DROP CONSTRAINT saga_step_status,
  ADD CONSTRAINT saga_step_status CHECK
    (status IN ('WAITING', 'SUCCEEDED', 'REFUSED', 'GIVEN_UP', 'COMPENSATING', 'COMPENSATED')),
  ADD CONSTRAINT saga_step_given_up_unanswered CHECK (status <> 'GIVEN_UP' OR replied_at IS NULL);

-- Operators list sagas by status, oldest or newest first: ids are UUIDv7. Ended ones are the many.
CREATE INDEX saga_instance_open ON saga_instance (status, id) WHERE ended_at IS NULL;
