-- An option for large installations, beside db/onceflow/inbox: partitions of inbox_message by the day (UTC), so that
-- expired days are dropped instead of deleted row by row. Garbage collection notices, makes the days to come and drops
-- those that have expired. docs/adr/0009 says how, and what it costs.
--
-- What is there stays where it is: the table as it was becomes the first partition, for all rows made until the day after
-- tomorrow, and is dropped like any other when they have expired. The table cannot be used while this runs: one scan of it.
LOCK TABLE inbox_message IN ACCESS EXCLUSIVE MODE;
ALTER TABLE inbox_message RENAME TO inbox_message_undivided;

CREATE TABLE inbox_message
  (LIKE inbox_message_undivided INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE)
  PARTITION BY RANGE (received_at);

DO $$
DECLARE
  index       record;
  primary_key text;
  midnight    timestamptz := (date_trunc('day', now() AT TIME ZONE 'UTC') + interval '2 days') AT TIME ZONE 'UTC';
BEGIN
  -- The first partition keeps its indexes under other names; every partition gets the same.
  FOR index IN
    SELECT c.relname AS name, pg_get_indexdef(c.oid) AS definition
    FROM   pg_index i
    JOIN   pg_class c ON c.oid = i.indexrelid
    WHERE  i.indrelid = 'inbox_message_undivided'::regclass
    AND    NOT i.indisunique
  LOOP
    EXECUTE format('ALTER INDEX %I RENAME TO %I', index.name, left(index.name, 50) || '_undivided');
    EXECUTE replace(index.definition, 'inbox_message_undivided', 'inbox_message');
  END LOOP;
  EXECUTE format('ALTER TABLE inbox_message ATTACH PARTITION inbox_message_undivided
                  FOR VALUES FROM (MINVALUE) TO (%L)', midnight);

  -- A row for which no partition was made in time (garbage collection stood still for days) is inserted here instead of
  -- failing its transaction. Garbage collection moves it when it makes the partition of its day; a row of a day that is past
  -- expires here, and is deleted like any other.
  SELECT pg_get_constraintdef(oid)
  INTO   primary_key
  FROM   pg_constraint
  WHERE  conrelid = 'inbox_message_undivided'::regclass
  AND    contype = 'p';
  EXECUTE format('CREATE TABLE inbox_message_default
                    (LIKE inbox_message INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE, %s)', primary_key);
  ALTER TABLE inbox_message ATTACH PARTITION inbox_message_default DEFAULT;
END
$$;

-- Whether a partition may be dropped is answered from these, since other statements wait for the answer. They cost each result
-- an entry in every index, which rows of a table without partitions do not pay. No other statement says both words of the
-- second: one that completes steps would read all of it.
CREATE INDEX inbox_message_ended ON inbox_message ((coalesce(completed_at, received_at))) WHERE status <> 'STARTED';
CREATE INDEX inbox_message_started ON inbox_message (received_at) WHERE status = 'STARTED' AND attempts >= 0;

-- A unique index holds within its partition only: the same step just before and just after midnight are two of them.
-- An insert takes a lock on the step, and then looks in all partitions. The look is a statement of its own, in a volatile
-- function, so at READ COMMITTED it sees what was committed before the lock was given; the snapshot of the INSERT itself may
-- be older. A row that is there already is passed over, as by ON CONFLICT DO NOTHING.
--
-- Every look-up costs as much as there are partitions to ask, and those made ahead hold nothing: the look passes them over.
-- A comparison with a variable does that when the statement starts. An hour more, since the clock of a server that takes
-- over may be behind.
CREATE FUNCTION inbox_message_once() RETURNS trigger LANGUAGE plpgsql VOLATILE AS $$
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

CREATE TRIGGER inbox_message_once BEFORE INSERT ON inbox_message
  FOR EACH ROW EXECUTE FUNCTION inbox_message_once();
