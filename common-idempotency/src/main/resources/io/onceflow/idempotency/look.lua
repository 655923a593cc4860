-- In front of PostgreSQL: answers what is known, else marks that somebody goes and asks.
-- KEYS[1] the entry; ARGV: fingerprint, marker, the marker's time to live in ms.
-- Nothing here decides who runs: whoever is told to ask must win the claim in PostgreSQL.
local entry = redis.call('HMGET', KEYS[1], 'fingerprint', 'marker', 'token', 'expires_at', 'response_status',
  'response_headers', 'response_body')
if entry[3] then
  if entry[1] ~= ARGV[1] then
    return {'REUSED'}
  end
  return {'DONE', entry[3], entry[4], entry[5], entry[6], entry[7]}
end
if not entry[2] then
  redis.call('HSET', KEYS[1], 'fingerprint', ARGV[1], 'marker', ARGV[2])
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  return {'ASK'}
end
if entry[1] == ARGV[1] then
  return {'IN_PROGRESS'}
end
return {'ASK_UNMARKED'}
