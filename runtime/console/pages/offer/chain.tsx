import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { addressOf } from '../../rules/addresses.ts'
import { markChain, nameOfStep, type StepMark } from '../../rules/verdicts.ts'
import { Icon } from '../../show/icon.tsx'
import { Section } from '../../show/page.tsx'
import { Ago } from '../../show/time.tsx'

const markWords: Readonly<Record<StepMark, string>> = {
  same: '',
  less: 'held back',
  differs: 'differs',
  unknown: 'not known'
}

/** The way of the quantity from the shop to the marketplace. */
export function Chain ({ explanation: { chain, price } }: { explanation: Schemas['OfferExplanation'] }): JSX.Element {
  return (
    <Section title='From the shop to the marketplace'>
      <ol class='chain'>
        {markChain(chain).map(({ step, quantity, at, jobId, note, mark }) => (
          <li key={step} class={mark}>
            <h3>{nameOfStep(step)}</h3>
            <p class='quantity'>
              {quantity ?? '?'}
              {mark !== 'same' && (
                <span class='mark'>
                  {mark === 'differs' && <Icon name='warning' />}
                  {markWords[mark]}
                </span>
              )}
            </p>
            <p class='muted'>
              <Ago at={at} none='' />
              {jobId !== undefined && (
                <>
                  {' by '}
                  <a href={addressOf.job(jobId)}>job {jobId.slice(0, 8)}</a>
                </>
              )}
            </p>
            {note !== undefined && <p class='note-of-step'>{note}</p>}
          </li>
        ))}
      </ol>
      {price !== null && <p>{price.sentence}</p>}
    </Section>
  )
}
