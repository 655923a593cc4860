-- Keeps a marker alive, if it is still its owner's. KEYS[1] the entry; ARGV: marker, its time to live in ms.
if redis.call('HGET', KEYS[1], 'marker') == ARGV[1] then
  return redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return 0
