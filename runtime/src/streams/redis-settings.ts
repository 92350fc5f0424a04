import { ReplyError, type Redis } from 'ioredis'
import type { ServerWarning } from './port.ts'

/** Lists the reasons why the server is unfit: its age, and settings that lose accepted events. */
export async function inspectRedis (redis: Redis): Promise<ServerWarning[]> {
  // INFO where it has the answer, not CONFIG: hosted servers forbid CONFIG.
  const sections = ['server', 'persistence', 'memory', 'replication']
  const info = (await Promise.all(sections.map(section => redis.info(section)))).join('')
  const value = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? 'unknown'
  const warnings: ServerWarning[] = []
  const warn = (about: ServerWarning['about'], message: string): void => {
    warnings.push({ about, message })
  }
  if (Number.parseInt(value('redis_version'), 10) < 7) {
    warn('version', `Redis is ${value('redis_version')}: version 7 or newer is needed`)
  }
  if (value('role') === 'slave') warn('role', 'Redis is a replica: it takes no events')
  // INFO counts the good replicas only where a primary without one refuses writes.
  if (Number(value('connected_slaves')) > 0 && value('min_slaves_good_slaves') === 'unknown') {
    const loss = 'a fail-over may lose events that were accepted since the primary was cut off'
    warn('settings', `Redis has replicas and min-replicas-to-write 0: ${loss}; set min-replicas-to-write 1`)
  }
  if (value('aof_enabled') !== '1') {
    const remedy = 'set appendonly yes and appendfsync always'
    warn('settings', `Redis has appendonly off: accepted events are lost when it stops; ${remedy}`)
  } else {
    const appendfsync = await readAppendfsync(redis)
    if (appendfsync !== undefined && appendfsync !== 'always') {
      const loss = 'accepted events of the last moments are lost when the power fails'
      warn('settings', `Redis has appendfsync ${appendfsync}: ${loss}; set appendfsync always`)
    }
  }
  const policy = value('maxmemory_policy')
  if (policy !== 'noeviction') {
    warn('settings', `Redis has maxmemory-policy ${policy}: it may drop events and markers; set noeviction`)
  }
  return warnings
}

/**
 * Returns undefined when the server forbids CONFIG or does not know it: INFO does not tell this
 * setting.
 */
async function readAppendfsync (redis: Redis): Promise<string | undefined> {
  try {
    const answer: unknown = await redis.config('GET', 'appendfsync')
    const value: unknown = Array.isArray(answer) ? answer[1] : undefined
    return typeof value === 'string' ? value : undefined
  } catch (error) {
    if (error instanceof ReplyError) return undefined
    throw error
  }
}
