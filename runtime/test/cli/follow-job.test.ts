import t from 'tap'
import { followJob } from '../../src/cli/follow-job.ts'

type State = { status: string, finishedAt?: string, waitsFor?: { until?: string } }

/** Follows a job whose readings are these states. */
async function follow (...states: State[]) {
  const [asked, steps]: [string[], string[]] = [[], []]
  const hub = {
    async call (_method: string, path: string): Promise<unknown> {
      asked.push(path)
      return { finishedAt: null, waitsFor: null, ...states[asked.length - 1] }
    }
  }
  const job = await followJob(hub, 'j', step => steps.push(step))
  return { job, asked, steps }
}

t.test('a job is followed to its end, and each new state is told once', async t => {
  const { job, asked, steps } = await follow(
    { status: 'queued' },
    { status: 'running' },
    { status: 'running' },
    { status: 'succeeded', finishedAt: '2026-01-31T10:00:00.000Z' }
  )

  t.match(job, { status: 'succeeded' })
  t.equal(asked.length, 4)
  t.match(asked, [/^\/jobs\/j\?wait=\d+$/])
  t.strictSame(steps, ['Job j is queued', 'Job j is running'])
})

t.test('a job that ends at once is told by its end alone', async t => {
  t.strictSame((await follow({ status: 'dead', finishedAt: '2026-01-31T10:00:00.000Z' })).steps, [])
})

t.test('a job that waits for a person is left, one that goes on soon is followed', async t => {
  const soon = new Date(Date.now() + 5_000).toISOString()
  const { job, asked } = await follow({ status: 'waiting', waitsFor: { until: soon } }, {
    status: 'waiting',
    waitsFor: {}
  })

  t.match(job, { waitsFor: {} })
  t.equal(asked.length, 2)
  const late = new Date(Date.now() + 3_600_000).toISOString()
  t.equal((await follow({ status: 'waiting', waitsFor: { until: late } })).asked.length, 1)
})
