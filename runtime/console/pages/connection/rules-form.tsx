import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { hub } from '../../hub/hub.ts'
import { may } from '../../hub/session.ts'
import {
  checkRules,
  keyOfProcessor,
  processorOf,
  processorText,
  type Rule,
  type RuleFault
} from '../../rules/routing.ts'
import { Action } from '../../show/action.tsx'

interface RulesFormProps {
  id: string
  items: readonly Rule[]
  etag: string
  candidates: readonly Schemas['RoutingCandidate'][]
  /** Undefined: the marketplace has not listed them. */
  methods: readonly { id: string, name: string }[] | undefined
}

/** All rules at once, checked before they are stored. */
export function RulesForm ({ id, items, etag, candidates, methods }: RulesFormProps): JSX.Element {
  const [draft, setDraft] = useState<{ rules: readonly Rule[], etag: string }>()
  const list = useId()
  const rules = draft?.rules ?? items
  const faults = checkRules(rules, candidates, methods)

  // The version of the rules is that of the first change, so that no other change is undone.
  const change = (next: readonly Rule[]): void => setDraft({ rules: next, etag: draft?.etag ?? etag })

  return (
    <div class='rules'>
      {rules.length === 0 && <p class='muted'>There is no rule: the shop or its operator dispatches every order.</p>}
      <datalist id={list}>
        {methods?.map(each => <option key={each.id} value={each.id}>{each.name}</option>)}
      </datalist>
      {rules.map((rule, index) => (
        <RuleRow
          key={index}
          rule={rule}
          index={index}
          list={list}
          candidates={candidates}
          faults={faults.filter(fault => fault.index === index)}
          onChange={next =>
            change([...rules.slice(0, index), ...next === undefined ? [] : [next], ...rules.slice(index + 1)])}
        />
      ))}
      {may('operate') && (
        <div class='actions'>
          <button
            type='button'
            disabled={candidates.length === 0}
            onClick={() =>
              change([...rules, {
                sourceDeliveryMethodId: '',
                ...processorOf(keyOfProcessor(candidates[0] ?? { processorKind: 'omp_fulfilled' }))
              }])}
          >
            Add a rule
          </button>
          {draft !== undefined && (
            <>
              <Action
                label='Save all rules…'
                scope='operate'
                isPrimary
                title='Replace all routing rules'
                confirm='Save'
                blocked={() => faults.some(({ isGrave }) => isGrave) ? 'The hub would refuse these rules.' : undefined}
                call={{ method: 'PUT', path: `/connections/${id}/routing-rules`, body: { items: draft.rules } }}
                run={async () => {
                  await hub.put('/connections/{id}/routing-rules', {
                    path: { id },
                    ifMatch: draft.etag,
                    body: { items: [...draft.rules] }
                  })
                  setDraft(undefined)
                  return { text: `The connection has ${draft.rules.length} routing rules now.` }
                }}
              >
                <p>
                  {items.length} rules are replaced by{' '}
                  {draft.rules.length}. Orders that are not dispatched yet follow the new ones.
                </p>
                {faults.length === 0 ? <p>The check finds nothing.</p> : <Faults faults={faults} />}
              </Action>
              <button type='button' onClick={() => setDraft(undefined)}>Discard</button>
            </>
          )}
        </div>
      )}
    </div>
  )
}

function RuleRow ({ rule, index, list, candidates, faults, onChange }: {
  rule: Rule,
  index: number,
  list: string,
  candidates: RulesFormProps['candidates'],
  faults: readonly RuleFault[],
  onChange: (rule: Rule | undefined) => void
}): JSX.Element {
  const key = keyOfProcessor(rule)
  const choices = candidates.some(one => keyOfProcessor(one) === key) ? candidates : [...candidates, rule]
  return (
    <fieldset class='row-of-fields' aria-label={`Rule ${index + 1}`} disabled={!may('operate')}>
      <label>
        <span>Delivery method</span>
        <input
          list={list}
          value={rule.sourceDeliveryMethodId}
          aria-invalid={faults.some(({ isGrave }) => isGrave)}
          onInput={event => onChange({ ...rule, sourceDeliveryMethodId: event.currentTarget.value })}
        />
      </label>
      <label>
        <span>Dispatched by</span>
        <select
          value={key}
          onChange={event =>
            onChange({
              sourceDeliveryMethodId: rule.sourceDeliveryMethodId,
              ...processorOf(event.currentTarget.value)
            })}
        >
          {choices.map(choice => (
            <option key={keyOfProcessor(choice)} value={keyOfProcessor(choice)}>
              {processorText(choice, candidates)}
            </option>
          ))}
        </select>
      </label>
      <button type='button' class='small' onClick={() => onChange(undefined)}>Remove</button>
      {faults.length > 0 && <Faults faults={faults} />}
    </fieldset>
  )
}

function Faults ({ faults }: { faults: readonly RuleFault[] }): JSX.Element {
  return (
    <ul class='about'>
      {faults.map(({ index, message }) => <li key={message} class='fault'>Rule {index + 1} {message}</li>)}
    </ul>
  )
}
