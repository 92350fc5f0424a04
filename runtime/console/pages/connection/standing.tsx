import type { Schemas } from '@linker/client'
import type { ComponentChildren, JSX } from 'preact'
import { addressOf } from '../../rules/addresses.ts'
import { Facts } from '../../show/facts.tsx'
import { Icon } from '../../show/icon.tsx'
import { Ago, At } from '../../show/time.tsx'

type Diagnostics = Schemas['Diagnostics']
type Run = Diagnostics['arriving']['lastSuccess']

/** Why the connection is in its state, and when something arrived and left last. */
export function Standing ({ connection, diagnostics }: {
  connection: Schemas['Connection'],
  diagnostics: Diagnostics | undefined
}): JSX.Element {
  const { status, statusReason, account, ordersSince, pauses, createdAt } = connection
  return (
    <>
      {statusReason !== null && (
        <p class={`note ${status === 'error' ? 'bad' : 'warn'}`}>
          <Icon name={status === 'error' ? 'error' : 'warning'} />
          <span>{statusReason}</span>
        </p>
      )}
      {account?.takesOrders === false && (
        <p class='note warn'>
          <Icon name='warning' />
          <span>
            Another connection opens the same account and takes its orders: two would make each order twice. When that
            one is deleted, this one takes them.
          </span>
        </p>
      )}
      {pauses.map(({ capability, reason, until, since, by }) => (
        <p key={capability ?? ''} class='note info'>
          <Icon name='paused' />
          <span>
            {capability ?? 'The whole connection'} is paused by {by.name} since <Ago at={since} />
            {until === null ? ', until somebody resumes it' : (
              <>
                , until <At at={until} />
              </>
            )}
            {reason === null ? '.' : `: ${reason}`} Events are kept; jobs wait.
          </span>
        </p>
      ))}
      {diagnostics !== undefined && (
        <Facts
          of={[
            ['Account', account === null ? 'not known yet' : account.name ?? 'of a person'],
            ['Makes orders placed since', ordersSince !== null && <At key='since' at={ordersSince} />],
            ['Last webhook', <Ago key='webhook' at={diagnostics.arriving.lastWebhookAt} />],
            ['Last reading by a schedule', <Ago key='poll' at={diagnostics.arriving.lastPollAt} />],
            ['Last success, from the platform', run(diagnostics.arriving.lastSuccess)],
            ['Last success, to the platform', run(diagnostics.leaving.lastSuccess)],
            ['Last failure, from the platform', run(diagnostics.arriving.lastFailure)],
            ['Last failure, to the platform', run(diagnostics.leaving.lastFailure)],
            ['Made', <Ago key='made' at={createdAt} />]
          ]}
        />
      )}
    </>
  )
}

function run (last: Run): ComponentChildren {
  if (last === null) return <span class='muted'>none</span>
  return (
    <>
      <a href={addressOf.job(last.jobId)}>{last.jobType}</a> <Ago at={last.at} />
      {last.problem !== null && (
        <>
          : <code>{last.problem.code}</code> {last.problem.message}
        </>
      )}
    </>
  )
}
