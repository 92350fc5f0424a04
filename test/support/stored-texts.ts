import { Redis } from 'ioredis'
import type { TestHub } from './hub.ts'

const selectTables = `
  select table_schema || '.' || table_name as name
  from information_schema.tables
  where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`

/** Returns everything that a hub stores, as texts by table and by key of Redis. */
export async function readStoredTexts (hub: Pick<TestHub, 'database' | 'variables'>): Promise<Map<string, string[]>> {
  const { query } = hub.database()
  const texts = new Map<string, string[]>()
  for (const { name } of await query<{ name: string }>(selectTables)) {
    const rows = await query<{ text: string }>(`select t::text as text from ${name} as t`)
    texts.set(name, rows.map(({ text }) => text))
  }
  const { REDIS_URL: redisUrl } = hub.variables
  return redisUrl === undefined ? texts : new Map([...texts, ...await readRedis(redisUrl)])
}

async function readRedis (url: string): Promise<Map<string, string[]>> {
  const redis = new Redis(url)
  try {
    const texts = new Map<string, string[]>()
    for (const key of await redis.keys('*')) texts.set(key, [key, JSON.stringify(await readKey(redis, key))])
    return texts
  } finally {
    redis.disconnect()
  }
}

async function readKey (redis: Redis, key: string): Promise<unknown> {
  const type = await redis.type(key)
  switch (type) {
    case 'string':
      return redis.get(key)
    case 'hash':
      return redis.hgetall(key)
    case 'list':
      return redis.lrange(key, 0, -1)
    case 'set':
      return redis.smembers(key)
    case 'zset':
      return redis.zrange(key, '0', '-1')
    case 'stream':
      return redis.xrange(key, '-', '+')
    // It ended meanwhile.
    case 'none':
      return null
    default:
      throw new Error(`the key ${key} has the unknown type ${type}`)
  }
}
