-- Messages that cannot be handled, kept with their reason for an operator (rule 13). Nothing is dropped. One whose handling
-- failed is tried again a few times by itself; one that this replica does not know is deferred: it waits for a replica that
-- does, and no other looks at it.
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
  next_attempt_at  timestamptz,                       -- null: not any more. Of one that is deferred: when that ends;
                                                      --   infinity: it is kept for a saga that is on hold
  waits_for        text[]      COLLATE "C",           -- of one that is deferred: what a replica has to know, any of these
  original_payload bytea,                             -- as it came, where an operator has changed it; else null
  edited_by        text,                              -- the subject of the token, at the last change
  edited_at        timestamptz,
  redrives         integer     NOT NULL DEFAULT 0,    -- how often operators have tried it again
  CONSTRAINT parked_message_reason CHECK (reason IN
    ('malformed', 'unknown-type', 'unsupported-version', 'no-idempotency-key', 'fingerprint-mismatch',
     'unknown-saga', 'reply-mismatch', 'deferred', 'deferred-too-long', 'handling-failed',
     'too-large', 'delivery-limit', 'dead-lettered')),
  CONSTRAINT parked_message_attempts CHECK (attempts >= 1),
  CONSTRAINT parked_message_deferred_until CHECK (waits_for IS NULL OR next_attempt_at IS NOT NULL),
  CONSTRAINT parked_message_edited_as_a_whole CHECK
    ((original_payload IS NULL) = (edited_by IS NULL) AND (edited_by IS NULL) = (edited_at IS NULL))
);

-- Read by the loop that tries again.
CREATE INDEX parked_message_due ON parked_message (next_attempt_at) WHERE next_attempt_at IS NOT NULL AND waits_for IS NULL;

-- Read by the same loop: by it a replica finds what it knows and makes that due,
CREATE INDEX parked_message_waits_for ON parked_message USING gin (waits_for) WHERE waits_for IS NOT NULL;
-- and by it what of these is due, or deferred for too long. By the gauge of the oldest deferred reply, too.
CREATE INDEX parked_message_deferred ON parked_message (next_attempt_at) WHERE waits_for IS NOT NULL;

-- Read by lists and counts, however many replies are deferred.
CREATE INDEX parked_message_listed ON parked_message (id) WHERE waits_for IS NULL OR reason <> 'deferred';

-- Read where a message is deferred: a saga sends a command again meanwhile, and the participant its answer. It is stored once.
CREATE INDEX parked_message_deferred_once ON parked_message (correlation_id) WHERE waits_for IS NOT NULL;
