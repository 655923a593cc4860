-- In front of PostgreSQL: answers what is known, and leaves no mark.
-- KEYS[1] the entry; ARGV: fingerprint.
local entry = redis.call('HMGET', KEYS[1], 'fingerprint', 'marker', 'token', 'expires_at', 'response_status',
  'response_headers', 'response_body')
if entry[3] then
  if entry[1] ~= ARGV[1] then
    return {'REUSED'}
  end
  return {'DONE', entry[3], entry[4], entry[5], entry[6], entry[7]}
end
if entry[2] and entry[1] == ARGV[1] then
  return {'IN_PROGRESS'}
end
return {'UNKNOWN'}
