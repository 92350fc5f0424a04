import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { useLocation } from 'preact-iso/router'
import { useEffect, useRef, useState } from 'preact/hooks'
import { hub } from '../hub/hub.ts'
import { addressOf } from '../rules/addresses.ts'

type Found = Schemas['SearchResult']

const shortest = 2
const restMs = 200

/** Finds an object by an id, an SKU, an EAN or a name. Enter opens the first one. */
export function Search (): JSX.Element {
  const { route } = useLocation()
  const [text, setText] = useState('')
  const [found, setFound] = useState<{ q: string, rows: readonly Found[] }>()
  const box = useRef<HTMLDivElement>(null)
  const q = text.trim()

  useEffect(() => {
    if (q.length < shortest) {
      setFound(undefined)
      return undefined
    }
    const abort = new AbortController()
    const timer = setTimeout(() => {
      hub.get('/search', { query: { q }, signal: abort.signal })
        .then(rows => setFound({ q, rows }), () => setFound({ q, rows: [] }))
    }, restMs)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [q])

  function open (result: Found): void {
    setText('')
    route(hrefOf(result))
  }

  async function submit (event: Event): Promise<void> {
    event.preventDefault()
    if (q.length < shortest) return
    // Enter may come before the answer of the last key.
    const [first] = found?.q === q ? found.rows : await hub.get('/search', { query: { q } }).catch(() => [])
    if (first !== undefined) open(first)
  }

  function closeWhenLeft (event: FocusEvent): void {
    if (!(event.relatedTarget instanceof Node && box.current?.contains(event.relatedTarget) === true)) {
      setFound(undefined)
    }
  }

  return (
    <search class='search' ref={box} onFocusOut={closeWhenLeft}>
      <form onSubmit={event => void submit(event)}>
        <label>
          <span class='hidden'>Search by id, SKU, EAN or name</span>
          <input
            id='search'
            type='search'
            autocomplete='off'
            placeholder='Search id, SKU, EAN, name'
            value={text}
            onInput={event => setText(event.currentTarget.value)}
            onKeyDown={event => {
              if (event.key === 'Escape') setText('')
            }}
          />
        </label>
      </form>
      {found !== undefined && (
        <div class='found'>
          {found.rows.length === 0 && <p class='muted'>Nothing has this id, SKU, EAN or name.</p>}
          <ul>
            {found.rows.map(result => (
              <li key={`${result.kind} ${result.id}`}>
                <a href={hrefOf(result)} onClick={() => setText('')}>
                  <strong>{result.title}</strong> <span class='muted'>{result.kind} {result.subtitle}</span>
                </a>
              </li>
            ))}
          </ul>
        </div>
      )}
    </search>
  )
}

function hrefOf ({ kind, id }: Found): string {
  return addressOf[kind === 'unlinked-offer' ? 'offer' : kind](id)
}
