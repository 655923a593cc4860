-- Messages that cannot be handled, kept with their reason for an operator (rule 13). Nothing is dropped. One whose handling
-- failed is tried again a few times by itself; one of a type that this replica does not know waits for a replica that does.
CREATE TABLE parked_message (
  id               uuid        PRIMARY KEY,           -- UUIDv7: the order of time
  queue            text        NOT NULL,              -- where it came from
  message_id       text,                              -- AMQP properties as they came; null where the sender left them out
  type             text,
  correlation_id   text        COLLATE "C",
  reply_to         text,
  routing_key      text,                              -- says who sent it; checked again when it is redriven
  headers          jsonb       NOT NULL DEFAULT '{}',
  payload          bytea       NOT NULL,              -- byte for byte: it may not be JSON at all. What a redrive uses
  reason           text        NOT NULL,
  detail           text        NOT NULL,
  parked_at        timestamptz NOT NULL DEFAULT now(),
  attempts         integer     NOT NULL DEFAULT 1,    -- how often handling it has begun by itself, not by operators
  next_attempt_at  timestamptz,                       -- null: not any more
  original_payload bytea,                             -- as it came, where an operator has changed it; else null
  edited_by        text,                              -- the subject of the token, at the last change
  edited_at        timestamptz,
  redrives         integer     NOT NULL DEFAULT 0,    -- how often operators have tried it again
  CONSTRAINT parked_message_reason CHECK (reason IN
    ('malformed', 'unknown-type', 'unsupported-version', 'no-idempotency-key', 'fingerprint-mismatch',
     'unknown-saga', 'reply-mismatch', 'deferred-too-long', 'handling-failed',
     'too-large', 'delivery-limit', 'dead-lettered')),
  CONSTRAINT parked_message_attempts CHECK (attempts >= 1),
  CONSTRAINT parked_message_edited_as_a_whole CHECK
    ((original_payload IS NULL) = (edited_by IS NULL) AND (edited_by IS NULL) = (edited_at IS NULL))
);

-- Read by the loop that tries again.
CREATE INDEX parked_message_due ON parked_message (next_attempt_at) WHERE next_attempt_at IS NOT NULL;

-- Read where a command of an unknown type is parked: a saga sends it again meanwhile, and it is stored once.
CREATE INDEX parked_message_deferred ON parked_message (correlation_id)
  WHERE reason = 'unknown-type' AND next_attempt_at IS NOT NULL;
