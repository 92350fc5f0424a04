import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { hub } from '../hub/hub.ts'
import { nameOfVariant, type Candidate } from '../rules/candidates.ts'

const restMs = 250
const most = 8

/** Lets a person choose one of the suggested variants, or search for another. */
export function ChooseVariant ({ suggested, hint, chosen, choose }: {
  suggested: readonly Candidate[],
  hint: string,
  chosen: Candidate | undefined,
  choose: (candidate: Candidate) => void
}): JSX.Element {
  const [text, setText] = useState(suggested.length === 0 ? hint : '')
  const [found, setFound] = useState<readonly Candidate[]>()
  const q = text.trim()

  useEffect(() => {
    if (q === '') {
      setFound(undefined)
      return undefined
    }
    const abort = new AbortController()
    const timer = setTimeout(() => {
      hub.get('/stock', { query: { q, limit: most }, signal: abort.signal }).then(setFound, () => setFound([]))
    }, restMs)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [q])

  return (
    <>
      {suggested.length > 0 && <Candidates title='Suggested' candidates={suggested} chosen={chosen} choose={choose} />}
      <label>
        <span>Search variants by name, SKU or EAN</span>
        <input type='search' value={text} onInput={event => setText(event.currentTarget.value)} />
      </label>
      {found?.length === 0 && <p class='muted'>No variant has this EAN, or a name or SKU that begins so.</p>}
      {found !== undefined && found.length > 0 && (
        <Candidates title='Found' candidates={found} chosen={chosen} choose={choose} />
      )}
    </>
  )
}

function Candidates ({ title, candidates, chosen, choose }: {
  title: string,
  candidates: readonly Candidate[],
  chosen: Candidate | undefined,
  choose: (candidate: Candidate) => void
}): JSX.Element {
  return (
    <fieldset class='variants'>
      <legend>{title}</legend>
      {candidates.map(candidate => (
        <label key={candidate.variantId} class='check'>
          <input
            type='radio'
            name='variant'
            checked={candidate.variantId === chosen?.variantId}
            onChange={() => choose(candidate)}
          />
          <span class='choice'>
            {nameOfVariant(candidate)}
            {candidate.because !== undefined && <span class='muted'>{candidate.because}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
