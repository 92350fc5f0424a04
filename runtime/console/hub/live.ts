import { effect, signal, untracked } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Page } from './hub.ts'

/** After this time without a key or a click, an open page asks the hub for nothing. */
const idleMs = 10 * 60_000

const refreshes = signal(0)
let lastInputMs = Date.now()

/** Whether pages ask the hub again and again: the tab is visible and a person uses it. */
export const isLive = signal(!document.hidden)

function judge (): void {
  isLive.value = !document.hidden && Date.now() - lastInputMs < idleMs
}

for (const kind of ['keydown', 'pointerdown', 'pointermove']) {
  addEventListener(kind, () => {
    lastInputMs = Date.now()
    if (!isLive.value) judge()
  }, { passive: true })
}
document.addEventListener('visibilitychange', judge)
setInterval(judge, 30_000)

/** Makes everything on the page ask the hub again now, for example after an action. */
export function refreshAll (): void {
  refreshes.value += 1
}

export interface Live<Data> {
  /** The last good answer. */
  data: Data | undefined
  /** Why the last request failed. */
  problem: Error | undefined
  /** When `data` came, in ms. */
  atMs: number | undefined
}

export interface LiveOptions {
  /** How long after an answer to ask again. Default: 5 000; 0: never. */
  everyMs?: number
  /** Keep the data of other inputs until the new ones come: a list under a new filter. */
  keeps?: boolean
}

type Inputs = readonly (string | number | boolean | undefined)[]

/** Asks the hub now, again when an input changes, and regularly while a person looks. */
export function useLive<Data> (
  load: (signal: AbortSignal) => Promise<Data>,
  inputs: Inputs,
  { everyMs = 5_000, keeps = false }: LiveOptions = {}
): Live<Data> {
  const key = JSON.stringify(inputs)
  const [state, setState] = useState<Live<Data> & { key: string }>({ key, ...nothingYet })
  const loader = useRef(load)
  loader.current = load

  useEffect(() => {
    const abort = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined

    async function look (): Promise<void> {
      clearTimeout(timer)
      try {
        const data = await loader.current(abort.signal)
        if (abort.signal.aborted) return
        setState(last => ({
          key,
          // The same answer keeps its identity, so that nothing is drawn again.
          data: isSame(last.data, data) ? last.data : data,
          problem: undefined,
          atMs: Date.now()
        }))
      } catch (error) {
        if (abort.signal.aborted) return
        const problem = error instanceof Error ? error : new Error(String(error))
        setState(last => ({ ...(last.key === key || keeps ? last : nothingYet), key, problem }))
      }
      if (everyMs > 0 && isLive.value) timer = setTimeout(() => void look(), everyMs)
    }

    let isFirst = true
    const stop = effect(() => {
      const { value: live } = isLive
      void refreshes.value
      if (live || isFirst) untracked(() => void look())
      else clearTimeout(timer)
      isFirst = false
    })
    return () => {
      stop()
      abort.abort()
      clearTimeout(timer)
    }
  }, [key])

  return state.key === key || keeps ? state : nothingYet
}

const nothingYet = { data: undefined, problem: undefined, atMs: undefined }

function isSame (a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

export interface LiveRows<Row> extends Live<readonly Row[]> {
  /** Loads one more page. Undefined: there is none. */
  more: (() => void) | undefined
}

/** Beyond this many pages the list no longer asks by itself: it would read them all. */
const livePages = 4

/** Like `useLive` for a list: it shows the first page and more of them on request. */
export function useRows<Row> (
  load: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Row>>,
  inputs: Inputs,
  { everyMs = 5_000 }: LiveOptions = {}
): LiveRows<Row> {
  const key = JSON.stringify(inputs)
  const [wanted, setWanted] = useState({ key, pages: 1 })
  const pages = wanted.key === key ? wanted.pages : 1

  async function loadPages (signal: AbortSignal): Promise<Page<Row>> {
    let all: Page<Row> = await load(undefined, signal)
    for (let page = 1; page < pages && all.next !== undefined; page += 1) {
      const { rows, next } = await load(all.next, signal)
      all = { rows: [...all.rows, ...rows], next }
    }
    return all
  }

  const options = { everyMs: pages > livePages ? 0 : everyMs, keeps: true }
  const { data, ...rest } = useLive(loadPages, [...inputs, pages], options)
  return {
    ...rest,
    data: data?.rows,
    more: data?.next === undefined ? undefined : () => setWanted({ key, pages: pages + 1 })
  }
}
