-- Claims a key, or tells what stands in the way: check, claim and lease in one step, by Redis's own clock.
-- KEYS[1] the record; ARGV: fingerprint, token, lease in ms, operation, scope, key, retention in ms,
-- code of the claim, the longest answer in bytes. The caller verifies what it is told, and compares the fingerprint.
local size = redis.call('HSTRLEN', KEYS[1], 'response_body') + redis.call('HSTRLEN', KEYS[1], 'response_headers')
if size > tonumber(ARGV[9]) then
  return {'OVERSIZED'}
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local record = redis.call('HMGET', KEYS[1], 'fingerprint', 'status', 'token', 'lease_expires_at', 'created_at',
  'is_accepted', 'expires_at', 'response_status', 'response_headers', 'response_body',
  'mac', 'operation', 'retention_ms', 'claim_mac')

-- A claim outlives its lease by far, so that only the same request can take it over, and the sweep finds it.
local function claim()
  redis.call('HSET', KEYS[1], 'token', ARGV[2], 'operation', ARGV[4], 'lease_expires_at', now + ARGV[3],
    'retention_ms', ARGV[7], 'claim_mac', ARGV[8])
  redis.call('PEXPIRE', KEYS[1], math.max(2 * ARGV[3], ARGV[7]))
end

if not record[2] then
  redis.call('HSET', KEYS[1], 'scope', ARGV[5], 'key', ARGV[6], 'fingerprint', ARGV[1], 'status', 'STARTED',
    'created_at', now)
  claim()
  return {'WON'}
end
if record[2] == 'COMPLETED' then
  return {'DONE', record[3], record[7], record[8], record[9], record[10], record[1], record[11]}
end
if record[1] ~= ARGV[1] or tonumber(record[4]) > now then
  return {'STARTED', record[1], record[12], record[13], record[14], now - record[5], record[4] - now, record[6]}
end
claim()
return {'TAKEN_OVER'}
