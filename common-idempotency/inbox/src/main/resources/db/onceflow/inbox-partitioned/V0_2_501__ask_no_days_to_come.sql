-- Every look-up costs as much as there are partitions to ask, and those made ahead hold nothing: the look before an insert
-- passes them over. A comparison with a variable does that when the statement starts. An hour more, since the clock of a
-- server that takes over may be behind.
CREATE OR REPLACE FUNCTION inbox_message_once() RETURNS trigger LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  latest timestamptz := clock_timestamp() + interval '1 h';
BEGIN
  IF current_setting('transaction_isolation') NOT IN ('read committed', 'read uncommitted') THEN
    RAISE EXCEPTION 'rows of inbox_message are made at READ COMMITTED only: at % an older one could go unseen',
      current_setting('transaction_isolation');
  END IF;
  -- Other locks than the claims', which may be of the same database.
  PERFORM pg_advisory_xact_lock(hashtextextended('inbox:' || NEW.step_key, hashtext(NEW.scope)));
  PERFORM FROM inbox_message WHERE scope = NEW.scope AND step_key = NEW.step_key AND received_at < latest;
  IF FOUND THEN
    RETURN NULL;
  END IF;
  RETURN NEW;
END
$$;
