-- Commands of a type that the replica did not know wait for one that knows it. A saga sends them again meanwhile; they are stored once.
CREATE INDEX parked_message_deferred ON parked_message (correlation_id)
  WHERE reason = 'unknown-type' AND next_attempt_at IS NOT NULL;
