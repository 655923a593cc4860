-- Steps that are due are taken over type by type, for each type of command has a lane of calls of its own, and within a
-- type scope by scope: neither a full lane nor a scope with much to do hides what else is due. The type is in the
-- envelope, which a row has just while it is STARTED.
CREATE INDEX inbox_message_call_due ON inbox_message ((envelope ->> 'type'), scope COLLATE "C", lease_expires_at)
  WHERE status = 'STARTED';
DROP INDEX inbox_message_lease_due;
