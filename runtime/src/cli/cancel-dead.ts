import type { Command } from 'commander'
import { emptyFilter } from '../jobs/redrive/empty-filter.ts'
import type { CancelDeadResult } from '../jobs/redrive/schemas.ts'
import { print } from '../terminal/print.ts'
import { countOf } from '../words.ts'
import { withHub } from './connections.ts'
import { describeSkipped, formatDead } from './format-dead.ts'
import { createHubClient, HubError, type HubClient, type HubOptions } from './hub-client.ts'
import { hasJobFilter, jobFilterOf, withJobFilter, type JobFilterOptions } from './job-filter.ts'

interface CancelDeadOptions extends HubOptions, JobFilterOptions {
  job?: string[]
  dryRun?: boolean
  reason?: string
  json?: boolean
}

/** `linker jobs cancel-dead`. */
export function addCancelDead (jobs: Command): void {
  withHub(withJobFilter(jobs.command('cancel-dead')
    .description('cancel all dead jobs that meet the options, for jobs that cannot succeed any more; at least one ' +
      'option is needed; `linker jobs retry` takes a job back'))
    .option('--job <id...>', 'only these jobs')
    .option('--dry-run', 'only tell which ones; exits with 1 when there is none')
    .option('--reason <text>', 'shown with the jobs and in the audit')
    .option('--json', 'print JSON'))
    .action(async ({ job: jobIds, dryRun = false, reason, json, ...options }: CancelDeadOptions) => {
      if (jobIds === undefined && !hasJobFilter(options)) throw new HubError(emptyFilter)
      const hub = await createHubClient(process.env, process.cwd(), options)
      const filter = { ...await jobFilterOf(hub, options), jobIds }
      const result = await hub.post('/jobs/cancel', { body: { filter, dryRun, reason } })
      if (result.byGroup.length === 0) process.exitCode = 1
      print(json === true ? JSON.stringify(result, null, 2) : await describe(hub, result, dryRun))
    })
}

async function describe (hub: HubClient, result: CancelDeadResult, dryRun: boolean): Promise<string> {
  const { cancelled, byGroup, skipped, atMost } = result
  const eligible = byGroup.reduce((sum, { count }) => sum + count, 0)
  const said = dryRun ? `${countOf(eligible, 'job')} would be cancelled` : `${countOf(cancelled, 'job')} cancelled`
  const lines = [
    atMost ? `${said}, the oldest; more meet the options` : said,
    ...describeSkipped(skipped)
  ]
  return [lines.join('\n'), ...await formatDead(hub, result)].join('\n\n')
}
