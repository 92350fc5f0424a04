import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { hub } from '../../hub/hub.ts'
import { budgetOf, isSlowed, rateOf, stateOfArea } from '../../rules/upstream.ts'
import { Action } from '../../show/action.tsx'
import { Facts } from '../../show/facts.tsx'
import { Section } from '../../show/page.tsx'
import { State } from '../../show/state.tsx'
import { Ago, At } from '../../show/time.tsx'

/** How fast the hub may call the platform, and whether it calls at all. */
export function Upstream ({ connection: { id, name }, upstream }: {
  connection: Schemas['Connection'],
  upstream: NonNullable<Schemas['Diagnostics']['upstream']>
}): JSX.Element {
  const { budget: { declared, own, learnt, effective }, throttledUntil, rest, breaker, areas } = upstream
  return (
    <Section
      title='Calls to the platform'
      actions={isSlowed(upstream) && (
        <Action
          label='Reset'
          scope='operate'
          title='Reset the calls to the platform'
          cli={`linker connections upstream reset ${id}`}
          run={async () => {
            await hub.post('/connections/{id}/upstream/reset', { path: { id } })
            return { text: `The hub calls the platform of “${name}” again.` }
          }}
        >
          <p>
            The hub closes the circuit breaker and forgets the rate and the rest that the platform asked for. Do it when
            the platform works again.
          </p>
        </Action>
      )}
    >
      <Facts
        of={[
          [
            'Circuit breaker',
            (
              <>
                <State name={breaker.state} />
                {breaker.openUntil !== null && (
                  <>
                    tries again <Ago at={breaker.openUntil} />
                  </>
                )}
                {breaker.failure !== null && breaker.state !== 'closed' && <>: {breaker.failure}</>}
              </>
            )
          ],
          [
            'Rest that the platform asked for',
            throttledUntil === null ? 'none' : (
              <>
                until <At at={throttledUntil} />
                {rest !== null && <>: {rest.reason}</>}
              </>
            )
          ],
          ...areas.map((area): [string, JSX.Element] => [
            `Area “${area.name}”`,
            (
              <>
                {stateOfArea(area) ?? 'slowed down'}
                {area.throttledUntil !== null && (
                  <>
                    , tries again <Ago at={area.throttledUntil} />
                  </>
                )}
              </>
            )
          ]),
          ['Limit now', budgetOf(effective)],
          ['Limit of the adapter', budgetOf(declared)],
          [
            'Limit of an operator',
            own === null ? 'none' : `${budgetOf(own)}${own.reason === null ? '' : `: ${own.reason}`}`
          ],
          [
            'Learnt rate',
            learnt === null
              ? 'none'
              : (
                <>
                  {rateOf(learnt.ratePerSecond)}, since the platform answered 429 <Ago at={learnt.throttledAt} />
                </>
              )
          ]
        ]}
      />
    </Section>
  )
}
