import type { JSX } from 'preact'
import { useLocation } from 'preact-iso/router'
import { LimitOffer } from '../../form/limit-offer.tsx'
import { LinkOffer } from '../../form/link-offer.tsx'
import { anyHub } from '../../hub/hub.ts'
import { addressOf } from '../../rules/addresses.ts'
import { nextStepOf, type ApiCall } from '../../rules/next-action.ts'
import { toneOfVerdict } from '../../rules/verdicts.ts'
import { Action } from '../../show/action.tsx'
import { Icon } from '../../show/icon.tsx'
import { State } from '../../show/state.tsx'
import { Ago } from '../../show/time.tsx'
import type { Explained } from '../offer.tsx'

/** The verdict in one sentence, with the one thing to do about it. */
export function VerdictOf ({ explanation, offer }: Explained): JSX.Element {
  const { verdict, sentence, nextAction, contributing, checkedAt } = explanation
  return (
    <section class={`card verdict ${toneOfVerdict(verdict)}`} aria-label='Verdict'>
      <p class='says'>
        <State name={verdict} tone={toneOfVerdict(verdict)} />
        <span class='muted'>
          judged <Ago at={checkedAt} />
        </span>
      </p>
      <p class='sentence'>{sentence}</p>
      <div class='actions next'>
        <NextButton explanation={explanation} offer={offer} />
        <p>{nextAction.sentence}</p>
      </div>
      {contributing.length > 0 && (
        <details>
          <summary>Also true ({contributing.length})</summary>
          <ul class='also'>
            {contributing.map(({ verdict: other, sentence: why }) => (
              <li key={other}>
                <State name={other} tone={toneOfVerdict(other)} /> {why}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

function NextButton ({ explanation, offer }: Explained): JSX.Element | null {
  const { verdict, nextAction, connection, externalId } = explanation
  const { route } = useLocation()
  const step = nextStepOf(nextAction)
  switch (step.kind) {
    case 'call':
      return (
        <CallButton
          label={step.label}
          call={step.call}
          sentence={nextAction.sentence}
          cli={nextAction.command}
          isPrimary={toneOfVerdict(verdict) !== 'wait'}
        />
      )
    case 'look':
      return (
        <a class='button primary' href={step.href}>
          {step.label} <Icon name='next' />
        </a>
      )
    case 'link':
      return (
        <LinkOffer
          connectionId={connection.id}
          externalId={externalId}
          isPrimary
          linked={id => route(addressOf.offer(id), true)}
        />
      )
    case 'limit':
      return offer === undefined ? null : <LimitOffer key={offer.updatedAt} {...offer} isPrimary />
    default:
      return null
  }
}

function CallButton ({ label, call, sentence, cli, isPrimary }: {
  label: string,
  call: ApiCall,
  sentence: string,
  cli: string | null,
  isPrimary: boolean
}): JSX.Element {
  const { method, path, body } = call
  return (
    <Action
      label={label}
      scope='operate'
      title={label}
      isPrimary={isPrimary}
      run={async idempotencyKey => {
        await anyHub.request(lower(method), path, { ...body === null ? {} : { body }, idempotencyKey })
        // An unlinked offer has another id.
        const opens = method === 'DELETE' ? '/console/offers?view=unlinked' : undefined
        return { text: `${label}: the hub took it. The verdict follows by itself.`, opens }
      }}
      cli={cli ?? undefined}
      call={{ method, path, ...body === null ? {} : { body } }}
    >
      <p>{sentence}</p>
    </Action>
  )
}

function lower (method: ApiCall['method']): Lowercase<ApiCall['method']> {
  return method.toLowerCase() as Lowercase<ApiCall['method']>
}
