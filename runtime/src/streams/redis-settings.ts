import { ReplyError, type Redis } from 'ioredis'
import type { ServerWarning } from './port.ts'

/** Lists the reasons why the server is unfit: its age, and settings that lose accepted events. */
export async function inspectRedis (redis: Redis): Promise<ServerWarning[]> {
  // INFO where it has the answer, not CONFIG: hosted servers forbid CONFIG.
  const info = `${await redis.info('server')}${await redis.info('persistence')}${await redis.info('memory')}`
  const value = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? 'unknown'
  const warnings: ServerWarning[] = []
  const warn = (about: ServerWarning['about'], message: string): void => {
    warnings.push({ about, message })
  }
  if (Number.parseInt(value('redis_version'), 10) < 7) {
    warn('version', `Redis is ${value('redis_version')}: version 7 or newer is needed`)
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
