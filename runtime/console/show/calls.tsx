import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { answerOf, toneOfAnswer } from '../rules/calls.ts'
import { duration } from '../rules/times.ts'
import { State } from './state.tsx'
import { Table } from './table.tsx'

type Call = NonNullable<Schemas['Job']['attempts'][number]['calls']>[number]

/** The requests of one attempt to the platform, in the order in which they were sent. */
export function Calls ({ calls, leftOut }: { calls: readonly Call[], leftOut?: number | undefined }): JSX.Element {
  return (
    <>
      <Table
        caption={leftOut === undefined
          ? 'Requests to the platform'
          : `Requests to the platform; ${leftOut} in the middle were not kept`}
        rows={calls}
        keyOf={({ at, path }) => `${at} ${path}`}
        columns={[
          { head: 'Request', cell: ({ method, path }) => <code>{method} {path}</code> },
          { head: 'Answer', cell: call => <State name={answerOf(call)} tone={toneOfAnswer(call)} /> },
          { head: 'Time', cell: ({ ms }) => duration(ms), isNumber: true }
        ]}
        empty={null}
      />
    </>
  )
}
