-- In front of PostgreSQL: answers what is known, else marks that somebody goes and asks.
-- KEYS[1] the entry; ARGV: fingerprint, the longest answer in bytes, marker or nothing, the marker's time to live in ms.
-- No request runs because of this: one that is told to ask must win the claim in PostgreSQL. The caller verifies what it is
-- told, and compares the fingerprint of an answer.
local size = redis.call('HSTRLEN', KEYS[1], 'response_body') + redis.call('HSTRLEN', KEYS[1], 'response_headers')
if size > tonumber(ARGV[2]) then
  return {'OVERSIZED'}
end
local entry = redis.call('HMGET', KEYS[1], 'fingerprint', 'marker', 'token', 'expires_at', 'response_status',
  'response_headers', 'response_body', 'mac')
-- An answer ends when PostgreSQL forgets it, whatever became of the entry's time to live.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local is_answer = entry[3] and tonumber(entry[4] or 0) > now
if is_answer then
  return {'DONE', entry[3], entry[4], entry[5], entry[6], entry[7], entry[1], entry[8]}
end
if entry[2] and not entry[3] then
  return entry[1] == ARGV[1] and {'IN_PROGRESS', entry[2]} or {'ASK_UNMARKED'}
end
if ARGV[3] ~= '' then
  redis.call('DEL', KEYS[1])
  redis.call('HSET', KEYS[1], 'fingerprint', ARGV[1], 'marker', ARGV[3])
  redis.call('PEXPIRE', KEYS[1], ARGV[4])
end
return {'ASK'}
