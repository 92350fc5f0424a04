import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { withThreadTimeLimit } from '../../src/host/thread-time-limit.ts'

const late = (spent: string): Error => new Error(`late, ${spent}`)

t.test('work that fails while the thread is asked what it has spent fails the call, and nothing else', async t => {
  const thread = {
    async cpuMs () {
      await turn()
      await turn()
      return 0
    },
    idleMs: () => 0
  }
  const unhandled: unknown[] = []
  const note = (error: unknown): void => {
    unhandled.push(error)
  }
  process.on('unhandledRejection', note)
  t.teardown(() => {
    process.off('unhandledRejection', note)
  })

  await t.rejects(withThreadTimeLimit(thread, 1_000, Promise.reject(new Error('failed')), late), { message: 'failed' })
  await turn()
  t.strictSame(unhandled, [])
})

t.test('time in which a thread could not run does not count, its work and its idleness do', async t => {
  const never = new Promise<never>(() => undefined)
  const starved = { cpuMs: async () => 0, idleMs: () => 0 }
  const done = withThreadTimeLimit(starved, 1, turn().then(() => 'done'), late)
  t.equal(await done, 'done')

  let cpuMs = 0
  await t.rejects(withThreadTimeLimit({ ...starved, cpuMs: async () => cpuMs += 10 }, 10, never, late), {
    message: 'late, working'
  })
  let idleMs = 0
  await t.rejects(withThreadTimeLimit({ ...starved, idleMs: () => idleMs += 10 }, 10, never, late), {
    message: 'late, waiting'
  })
})
