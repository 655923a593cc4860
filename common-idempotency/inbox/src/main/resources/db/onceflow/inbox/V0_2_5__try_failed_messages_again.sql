-- A message whose handling failed is tried again a few times before it stays parked for good (rule 13).
-- What was parked before stays as it is: it is not due.
ALTER TABLE parked_message
  ADD COLUMN attempts        integer     NOT NULL DEFAULT 1,   -- how often handling it has begun by itself, not by operators
  ADD COLUMN next_attempt_at timestamptz,                      -- null: not any more
  ADD CONSTRAINT parked_message_attempts CHECK (attempts >= 1);

CREATE INDEX parked_message_due ON parked_message (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
