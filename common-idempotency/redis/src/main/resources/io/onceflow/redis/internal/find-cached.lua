-- In front of PostgreSQL: answers what is known, and leaves no mark. The caller verifies what it is told, and compares the
-- fingerprint of an answer. KEYS[1] the entry; ARGV: fingerprint, the longest answer in bytes.
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
if entry[2] and entry[1] == ARGV[1] then
  return {'IN_PROGRESS', entry[2]}
end
return {'UNKNOWN'}
