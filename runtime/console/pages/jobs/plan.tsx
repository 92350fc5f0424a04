import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { addressOf } from '../../rules/addresses.ts'
import { describeSkip } from '../../rules/redrives.ts'
import { Table } from '../../show/table.tsx'

type Plan = Pick<Schemas['RedrivePlan'], 'skipped' | 'byGroup' | 'sample' | 'atMost' | 'matched'>

/** Which dead jobs a command is about, and which ones it leaves out and why. */
export function PlanOf ({ plan, eligible, does }: { plan: Plan, eligible: number, does: string }): JSX.Element {
  const { matched, skipped, byGroup, sample, atMost } = plan
  return (
    <>
      <p class='plan'>
        <strong>{eligible}</strong> of {matched} jobs {does}.
        {atMost && ' There are more; the hub takes the oldest.'}
      </p>
      {skipped.length > 0 && (
        <ul class='skipped'>
          {skipped.map(({ reason, count }) => <li key={reason}>{count} left out: {describeSkip(reason)}</li>)}
        </ul>
      )}
      {byGroup.length > 1 && (
        <Table
          caption='What the filter meets'
          rows={byGroup}
          keyOf={({ connectionId, jobType, code }) => `${connectionId} ${jobType} ${code}`}
          columns={[
            { head: 'Jobs', cell: ({ count }) => count, isNumber: true },
            { head: 'Type', cell: ({ jobType }) => jobType },
            { head: 'Connection', cell: ({ connectionName }) => connectionName ?? 'deleted' },
            { head: 'Code', cell: ({ code }) => code }
          ]}
          empty={null}
        />
      )}
      {sample.length > 0 && (
        <details>
          <summary>The {sample.length} jobs that come first</summary>
          <ul class='sample'>
            {sample.map(({ id, objectKey, problem }) => (
              <li key={id}>
                <a href={addressOf.job(id)} target='_blank' rel='noopener'>{id.slice(0, 8)}</a> {objectKey}
                <span class='muted'>{problem?.message}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
