import t from 'tap'
import { exclusionKeyOf } from '../../../src/jobs/identity.ts'
import type { JobRequest } from '../../../src/jobs/job.ts'
import { countJobsWithTexts, findUnendedCommands, removeTexts } from '../../../src/jobs/texts/store.ts'
import { kinds, openOwnJobs, typeOf } from '../support.ts'

const endJobs = `
  update jobs set state = null, due_at = null, command_order = null, outcome = 'dead', died_at = now(),
    finished_at = now(), problem = '{"code": "LNK_X", "message": "secret"}', result = '"secret"',
    attempts = '[{"startedAt": "1", "error": {"code": "LNK_X", "message": "secret"}}, {"startedAt": "2"}]'
  where payload ->> 'object' = 'ended'`

for (const kind of kinds(t)) {
  t.test(`the texts of jobs, ${kind}`, async t => {
    const jobs = await openOwnJobs(t, kind)
    const { query } = jobs.database
    const connectionId = await jobs.addConnection()
    const requestFor = (jobType: string, object: string): JobRequest => ({
      jobType,
      connectionId,
      payload: { object, externalId: '7', text: 'secret' },
      idempotencyKey: `${jobType}-${object}`
    })
    const [ended, open, read] = [
      requestFor('command.send', 'ended'),
      requestFor('command.send', 'open'),
      requestFor('state.read', 'open')
    ]
    const [endedKey = '', openKey = '', readKey = ''] = [ended, open, read].map(request =>
      exclusionKeyOf(typeOf(request.jobType), request)
    )
    await jobs.enqueueJobs([ended, open, read])
    await query(endJobs)

    t.test('a command that has not ended is found by its object', async t => {
      t.match(await findUnendedCommands(query, [endedKey, openKey, readKey]), [{
        jobType: 'command.send',
        objectKey: openKey
      }])
      t.equal(await countJobsWithTexts(query, [endedKey, openKey]), 1)
    })

    t.test('go from jobs that have ended; ids, codes and times stay', async t => {
      await removeTexts(query, [endedKey, openKey])

      const [left] = await query("select payload, result, problem, attempts, outcome from jobs where outcome = 'dead'")
      t.match(left, {
        payload: { externalId: '7' },
        result: { removed: true },
        problem: { code: 'LNK_X' },
        attempts: [{ startedAt: '1', error: { code: 'LNK_X' } }, { startedAt: '2' }]
      })
      t.notMatch(JSON.stringify(left), 'secret')
      t.equal(await countJobsWithTexts(query, [endedKey, openKey]), 0, 'nothing is left to remove')
      t.match(await query("select payload from jobs where lane = 'state'"), [{ payload: { text: 'secret' } }])
    })
  })
}
