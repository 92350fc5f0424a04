import { setTimeout as wait } from 'node:timers/promises'
import type { ApiClient } from '../support/api.ts'
import { sendLoad } from './load.ts'

const sockets = 50
const lookEveryMs = 100
const longestSeconds = 600

/** Makes connections of a platform, and returns their ids. */
export async function connectAll (
  api: ApiClient,
  { count, platformType, config = {} }: { count: number, platformType: string, config?: object }
): Promise<string[]> {
  const ids: string[] = []
  for (let number = 0; number < count; number += 1) {
    const created = await api('POST', '/connections', {
      body: { name: `${platformType} ${number}`, platformType, config, credentials: {} }
    })
    if (created.status !== 201) throw new Error(`a connection was not created: ${created.status} ${created.text}`)
    ids.push((created.json as { id: string }).id)
  }
  return ids
}

/** Sends webhooks and returns how many the hub accepted in a second. It must accept all. */
export async function sendAll (url: string, requests: readonly Buffer[]): Promise<number> {
  const { accepted, seconds } = await sendLoad({ url, requests, sockets, pipelining: 1, seconds: longestSeconds })
  if (accepted !== requests.length) throw new Error(`only ${accepted} of ${requests.length} events were accepted`)
  return accepted / seconds
}

/** Waits until the hub has ended so many jobs since its start. */
export async function waitForEnded (api: ApiClient, count: number, what?: EndedJobs): Promise<void> {
  const startedAt = performance.now()
  while (await countEnded(api, what) < count) {
    if (performance.now() - startedAt > longestSeconds * 1_000) throw new Error('the jobs did not end')
    await wait(lookEveryMs)
  }
}

interface EndedJobs {
  outcome?: 'succeeded' | 'dead'
}

/** Returns how many jobs the hub has ended since its start. */
export async function countEnded (api: ApiClient, { outcome }: EndedJobs = {}): Promise<number> {
  const { text } = await api('GET', '/metrics')
  const lines = text.split('\n')
    .filter(line => line.startsWith('linker_jobs_ended_total{') && line.includes(`outcome="${outcome ?? ''}`))
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
}
