import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { addressOf } from '../../rules/addresses.ts'
import { pageOfFinding } from '../../rules/finding-pages.ts'
import { partCommands } from '../../rules/told.ts'
import { Section } from '../../show/page.tsx'
import { Prose } from '../../show/prose.tsx'
import { State } from '../../show/state.tsx'
import { Ago } from '../../show/time.tsx'

type Finding = Schemas['Diagnostics']['findings'][number]

const directions = { in: 'from the platform', out: 'to the platform', both: 'from and to the platform' } as const

/** Lists the findings of the diagnosis with their remedies, the gravest first. */
export function Findings ({ connectionId, diagnostics: { verdict, findings } }: {
  connectionId: string,
  diagnostics: Schemas['Diagnostics']
}): JSX.Element {
  return (
    <Section title='Diagnosis'>
      {findings.length === 0 ?
        (
          <p>
            <Prose text={verdict} />
          </p>
        ) :
        (
          <ul class='findings'>
            {findings.map(finding => (
              <Item key={finding.code + finding.title} connectionId={connectionId} finding={finding} />
            ))}
          </ul>
        )}
    </Section>
  )
}

function Item ({ connectionId, finding }: { connectionId: string, finding: Finding }): JSX.Element {
  const { code, severity, direction, title, detail, since, evidence, nextAction } = finding
  const page = pageOfFinding(code, connectionId)
  const { text, commands } = partCommands(nextAction)
  return (
    <li>
      <p>
        <State name={severity} /> <strong>{title}</strong>{' '}
        <span class='muted'>
          {directions[direction]}
          {since !== undefined && (
            <>
              , since <Ago at={since} />
            </>
          )}
        </span>
      </p>
      <p>
        <Prose text={detail} />
      </p>
      <p>
        <strong>Next:</strong> <Prose text={text} />
      </p>
      {commands.length > 0 && (
        <details>
          <summary>Same by command line</summary>
          <pre tabIndex={0}>{commands.join('\n')}</pre>
        </details>
      )}
      {page !== undefined && (
        <p>
          <a class='button small' href={page.href}>{page.label}</a>
        </p>
      )}
      {evidence?.jobId !== undefined && (
        <p>
          <a href={addressOf.job(evidence.jobId)}>Open the job</a>
        </p>
      )}
      {evidence?.deliveryId !== undefined && (
        <p>
          <a href={addressOf.delivery(evidence.deliveryId)}>Open the delivery</a>
        </p>
      )}
    </li>
  )
}
